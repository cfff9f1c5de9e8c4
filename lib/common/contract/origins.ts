import { z } from "zod";
import { boardKindSchema } from "./boards";
import { digestSchema } from "./names";

/** A signature with the public half of the key that made it: Ed25519, base64. */
export const makerSchema = z.object({
  keyId: z.string(),
  publicKey: z.string(),
  signature: z.string(),
});
export type Maker = z.infer<typeof makerSchema>;

/** Where firmware comes from that was not built here. */
export const originSchema = z.object({
  /** An artifact of an installation, a bare bitstream, or the three files of BondMachine's original web interface. */
  kind: z.enum(["archive", "bitstream", "bondmachine"]),
  /** What is known of it being right, in words for people. */
  proof: z.string(),
  /** Who signed an archive. */
  maker: makerSchema.optional(),
});
export type Origin = z.infer<typeof originSchema>;

/** What was found in firmware that was made elsewhere. */
export const foundFirmwareSchema = z.object({
  kind: originSchema.shape.kind,
  /** The one board model that it is for; absent where its header names a part and no board. */
  boardModel: z.string().optional(),
  /** The part, as its own header names it. */
  device: z.string().optional(),
  /** Of an archive: the artifact that it holds. */
  artifactDigest: digestSchema.optional(),
  /** Kinds of boards that could load it, the best first: a simulated one only where a simulation comes with it. */
  boardKinds: z.array(boardKindSchema),
});
export type FoundFirmware = z.infer<typeof foundFirmwareSchema>;
