import { buffer, text } from "node:stream/consumers";
import { addProof, refuseArtifact } from "@/domain/artifacts";
import { type Reusable, setRunning } from "@/domain/builds";
import { type FileRole, vectorsSchema } from "@/lib/common/contract";
import { fromErrorData, isAppError } from "@/lib/common/errors";
import { hexOf } from "@/lib/server/digest";
import { buckets, type ObjectStore } from "@/lib/server/storage";
import { insist } from "../attempt";
import { type AttemptContext, say } from "./attempt-context";
import { type ExecuteOptions, readBack, writeFiles } from "./run-steps";
import { verifyBitstream } from "./verify-netlist";

/**
 * Reads the bitstream of an artifact back where the build that made it could not, and adds what that proves to the
 * artifact's report. One that does not answer as its model is refused, here and from then on, until a check finds it right.
 *
 * @throws {AppError} `VERIFICATION_FAILED`, and what the tools throw.
 */
export async function proveReused(
  context: AttemptContext,
  found: Reusable,
  options: ExecuteOptions & { readonly store: ObjectStore },
): Promise<void> {
  const { plan, checks, store } = options;
  const { artifactDigest, levels, clockHz, refused } = found;
  const variant = plan.variants.find((each) => each.readBack && each.clockHz === clockHz);
  const isProven = levels === null || levels.includes("bitstream");
  if (!variant || !checks || (isProven && !refused)) {
    if (refused) throw fromErrorData(refused);
    return;
  }
  say(
    context,
    "The bitstream of an equal build was not read back where it was made: it is read back here.",
  );
  await insist(context.signal, () => setRunning(context.buildId, context.epoch));
  const bytesOf = async (role: FileRole) => {
    const file = found.files.find((each) => each.role === role);
    if (!file) throw new TypeError(`a proven bitstream without ${role}`);
    return { name: file.name, ...(await store.get(buckets.artifacts, hexOf(file.digest))) };
  };
  await writeFiles(context, plan.files);
  await writeFiles(context, variant.files);
  const bitstream = await bytesOf("bitstream");
  await context.work.write(bitstream.name, await buffer(bitstream.stream));
  const vectors = vectorsSchema.parse(JSON.parse(await text((await bytesOf("vectors")).stream)));
  const outputs = Buffer.from(vectors.outputs, "base64");
  await readBack(context, variant, options);
  const proven = await verifyBitstream(context, { plan, variant }, { outputs }).catch(
    async (error: unknown) => {
      if (isAppError(error) && error.reason === "VERIFICATION_FAILED")
        await insist(context.signal, () => refuseArtifact(artifactDigest, error));
      throw error;
    },
  );
  await insist(context.signal, () => addProof(artifactDigest, proven));
}
