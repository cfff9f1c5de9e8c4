import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/**
 * The three answers of both contracts, which are one on the wire: whether it went well, and a text. On failure the original
 * sends another message type than its contract says, and nobody can tell.
 */
export interface Outcome {
  readonly success: boolean;
  /** A JSON text or a name on success, else why not, in words. */
  readonly text: string;
}

/** Fields that an outcome may have, those counted that nobody knows: a message of thousands is none. */
const maxFields = 64;

/** Reads an answer as strictly as the contract is written. @throws {Error} for a message of another shape. */
export function readOutcome(bytes: Uint8Array): Outcome {
  const reader = new BinaryReader(bytes);
  let success = false;
  let text = "";
  for (let fields = 0; reader.pos < reader.len; fields++) {
    if (fields === maxFields) throw new Error("the message has too many fields");
    const [field, wireType] = reader.tag();
    if (field === 1) success = reader.bool();
    else if (field === 2) text = reader.string();
    else reader.skip(wireType, field);
    const wanted = field === 1 ? WireType.Varint : WireType.LengthDelimited;
    if (field <= 2 && wireType !== wanted)
      throw new Error(`field ${field} has wire type ${wireType}`);
  }
  if (reader.pos !== reader.len) throw new Error("the message ends too early");
  return { success, text };
}

/** The bytes of an answer; what is false or empty is left out, as protobuf has it. */
export function writeOutcome({ success, text }: Outcome): Uint8Array {
  const writer = new BinaryWriter();
  if (success) writer.tag(1, WireType.Varint).bool(true);
  if (text !== "") writer.tag(2, WireType.LengthDelimited).string(text);
  return writer.finish();
}
