import { getArtifact, openArtifactFile } from "@/domain/artifacts";
import type { ArtifactIo, Build, FileRole, Scope } from "@/lib/common/contract";
import type { ObjectStore } from "@/lib/server/storage";
import { type Order, Refusal } from "./order";

/** Where the original's boards look for firmware. */
export const firmwareBucket = "fpga-models";

const parts: readonly (readonly [role: FileRole, ending: string])[] = [
  ["bitstream", "bit"],
  ["hardware-handoff", "hwh"],
];

/**
 * Puts an artifact into a store as the original's boards find a firmware: bitstream, hand-off where there is one, and the
 * metadata last, so that whoever finds that finds all.
 *
 * @throws {Refusal} where the artifact has no bitstream; {AppError} of the stores.
 */
export async function deliver(
  scope: Scope,
  { artifactDigest: digest, report }: Pick<Build, "artifactDigest" | "report">,
  { store, order }: { readonly store: ObjectStore; readonly order: Order },
): Promise<void> {
  if (digest === null) throw new Refusal("The build made nothing");
  const { manifest } = await getArtifact(scope, digest);
  if (!manifest.files.some(({ role }) => role === "bitstream")) {
    const needs = report?.bitstreamNeeds;
    throw new Refusal(
      needs ? `The project is written, and its bitstream needs ${needs}` : "There is no bitstream",
    );
  }
  const keyOf = (ending: string) => `${order.firmware}.${ending}`;
  await store.ensureBucket(firmwareBucket);
  for (const [role, ending] of parts) {
    if (!manifest.files.some((file) => file.role === role)) continue;
    const { stream, sizeBytes } = await openArtifactFile(scope, digest, role);
    await store.put(firmwareBucket, keyOf(ending), stream, { sizeBytes });
  }
  const metadata = Buffer.from(JSON.stringify({ ...order.metadata, ...countsOf(manifest.io) }));
  await store.put(firmwareBucket, keyOf("json"), metadata, { sizeBytes: metadata.length });
}

/** Numbers of a row, in and out; classes that a board picks are none of them. */
function countsOf({ inputs, outputs }: ArtifactIo) {
  const sum = (tensors: readonly { readonly size: number }[]) =>
    tensors.reduce((total, { size }) => total + size, 0);
  const [scores] = outputs;
  return { n_inputs: sum(inputs), n_outputs: scores?.size ?? 0 };
}
