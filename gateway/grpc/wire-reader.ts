import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { fail } from "@/lib/common/errors";

/**
 * Fields that one message may have, those of its parts counted too. Many times what 64 tensors with all their parameters
 * need, and read within a few hundredths of a second.
 */
const maxFields = 100_000;

/**
 * Reads protobuf as strictly as the strictest of its parsers: known fields in their own wire type, text in UTF-8, varints of
 * ten bytes at most, parts that end where they say. Fields are counted, so that no message keeps us for long.
 */
export class WireReader extends BinaryReader {
  private readonly counter: { fields: number };

  constructor(bytes: Uint8Array, counter = { fields: 0 }) {
    super(bytes);
    this.counter = counter;
  }

  get atEnd(): boolean {
    return this.pos >= this.len;
  }

  override tag(): [number, WireType] {
    if (++this.counter.fields > maxFields) {
      throw fail("INFER_INVALID", `the message has more than ${maxFields} fields`);
    }
    return super.tag();
  }

  override skip(wireType: WireType, fieldNo?: number, depth?: number): Uint8Array {
    if (wireType === WireType.Varint) {
      const start = this.pos;
      this.uint64();
      this.pos = start;
    }
    return super.skip(wireType, fieldNo, depth);
  }

  text(): string {
    return this.string(true);
  }

  /** A part of the message: nothing of it is read beyond its end. */
  part(): WireReader {
    return new WireReader(this.bytes(), this.counter);
  }

  /** Calls the rule of every field there is one for, and skips the others. @throws where one has another wire type. */
  fields(rules: Readonly<Record<number, FieldRule>>): void {
    while (!this.atEnd) {
      const [number, wireType] = this.tag();
      const rule = rules[number];
      if (!rule) this.skip(wireType, number);
      else if (typeof rule !== "function") {
        if (wireType !== rule.wireType) throw wrongType(number, wireType);
        rule.read();
      } else if (wireType === WireType.LengthDelimited) rule();
      else throw wrongType(number, wireType);
    }
  }
}

/** Reads one field: length-delimited, or of the wire type that it names. */
export type FieldRule =
  | (() => unknown)
  | { readonly wireType: WireType; readonly read: () => unknown };

function wrongType(number: number, wireType: WireType): Error {
  return new Error(`field ${number} has wire type ${wireType}`);
}
