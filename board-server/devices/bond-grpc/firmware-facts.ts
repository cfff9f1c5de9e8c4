import { readFile } from "node:fs/promises";
import { z } from "zod";
import {
  archOf,
  type BondArch,
  bondArchSchema,
  firmwareNameSchema,
  type RowForm,
} from "@/lib/common/bond";
import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";

/** What a board must be told to load a firmware, and how that firmware takes rows. */
export interface FirmwareFacts {
  /** In the board's own store. */
  readonly name: string;
  readonly arch: BondArch;
  readonly form: RowForm;
}

const metadataSchema = z.looseObject({
  predictor: z.enum(["bondmachine", "hls4ml"]),
  flavor: z.enum(["axist", "aximm"]).optional(),
  arch: z.string().optional(),
});

/**
 * Reads what a BondMachine firmware says of itself: its name is that of its bitstream file.
 *
 * @param metadataPath Of the artifact's file of role `metadata`.
 * @throws {AppError} `ARTIFACT_MISMATCH` for every other artifact.
 */
export async function readFirmwareFacts(
  { files, boardModel }: Pick<Manifest, "files" | "boardModel">,
  metadataPath: () => Promise<string>,
): Promise<FirmwareFacts> {
  const fileName = files.find(({ role }) => role === "bitstream")?.name ?? "";
  if (!fileName.endsWith(".bit") || !files.some(({ role }) => role === "metadata")) {
    throw fail("ARTIFACT_MISMATCH", "This board loads BondMachine firmware, and this is none.", {
      hint: "Deploy NAME.bit, NAME.hwh and NAME.json with the engine prebuilt, or choose another board.",
    });
  }
  const name = firmwareNameSchema.safeParse(fileName.slice(0, -".bit".length));
  if (!name.success) {
    throw fail("ARTIFACT_MISMATCH", "The name of this firmware must not be sent to a board.", {
      hint: "Give its files a name of letters, digits, hyphens, underscores and single dots.",
    });
  }
  const metadata = parseMetadata(await readFile(await metadataPath(), "utf8"));
  const arch = bondArchSchema.safeParse(metadata.arch?.toLowerCase());
  const isFlat = metadata.predictor === "hls4ml" || metadata.flavor === "aximm";
  return {
    name: name.data,
    // Without it the original answers nothing, and the one of its own metadata it does not read.
    arch: arch.success ? arch.data : archOf(boardModel),
    form: isFlat ? "flat" : "nested",
  };
}

function parseMetadata(text: string): z.infer<typeof metadataSchema> {
  try {
    return metadataSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw fail("ARTIFACT_MISMATCH", "The metadata of this firmware cannot be read.", { cause });
  }
}
