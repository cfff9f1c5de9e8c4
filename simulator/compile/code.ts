import { ByteWriter, type ValueType } from "./encoder";

const opcodes = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  br_if: 0x0d,
  return: 0x0f,
  call: 0x10,
  select: 0x1b,
  "local.get": 0x20,
  "local.set": 0x21,
  "local.tee": 0x22,
  "i32.load": 0x28,
  "i64.load": 0x29,
  "i32.load8_u": 0x2d,
  "i32.load16_u": 0x2f,
  "i32.store": 0x36,
  "i64.store": 0x37,
  "i32.store8": 0x3a,
  "i32.store16": 0x3b,
  "i32.eqz": 0x45,
  "i32.eq": 0x46,
  "i32.lt_s": 0x48,
  "i32.lt_u": 0x49,
  "i32.ge_u": 0x4f,
  "i64.eqz": 0x50,
  "i64.eq": 0x51,
  "i64.lt_s": 0x53,
  "i64.lt_u": 0x54,
  "i32.popcnt": 0x69,
  "i32.add": 0x6a,
  "i32.sub": 0x6b,
  "i32.mul": 0x6c,
  "i32.div_u": 0x6e,
  "i32.rem_u": 0x70,
  "i32.and": 0x71,
  "i32.or": 0x72,
  "i32.xor": 0x73,
  "i32.shl": 0x74,
  "i32.shr_s": 0x75,
  "i32.shr_u": 0x76,
  "i64.popcnt": 0x7b,
  "i64.add": 0x7c,
  "i64.sub": 0x7d,
  "i64.mul": 0x7e,
  "i64.div_u": 0x80,
  "i64.rem_u": 0x82,
  "i64.and": 0x83,
  "i64.or": 0x84,
  "i64.xor": 0x85,
  "i64.shl": 0x86,
  "i64.shr_s": 0x87,
  "i64.shr_u": 0x88,
  "i32.wrap_i64": 0xa7,
  "i64.extend_i32_s": 0xac,
  "i64.extend_i32_u": 0xad,
  "i32.extend8_s": 0xc0,
  "i32.extend16_s": 0xc1,
  "i64.extend8_s": 0xc2,
  "i64.extend16_s": 0xc3,
  "i64.extend32_s": 0xc4,
} as const;

export type Opcode = keyof typeof opcodes;

const emptyBlock = 0x40;
const alignments: Readonly<Record<string, number>> = {
  "i32.load": 2,
  "i64.load": 3,
  "i32.load8_u": 0,
  "i32.load16_u": 1,
  "i32.store": 2,
  "i64.store": 3,
  "i32.store8": 0,
  "i32.store16": 1,
};

/** Writes the instructions of one function. */
export class CodeWriter {
  private readonly writer = new ByteWriter();

  op(name: Opcode): this {
    this.writer.byte(opcodes[name]);
    return this;
  }

  /** An instruction with one index: a local, a function or a label. */
  index(name: Opcode, value: number): this {
    this.op(name).writer.u32(value);
    return this;
  }

  /** A block, loop or if without results. */
  open(name: "block" | "loop" | "if"): this {
    this.op(name).writer.byte(emptyBlock);
    return this;
  }

  /** A load or store at a constant offset from the address on the stack. */
  memory(name: Opcode, offset: number): this {
    this.op(name)
      .writer.u32(alignments[name] ?? 0)
      .u32(offset);
    return this;
  }

  constant(type: ValueType, value: bigint): this {
    this.writer
      .byte(type === "i32" ? 0x41 : 0x42)
      .signed(BigInt.asIntN(type === "i32" ? 32 : 64, value));
    return this;
  }

  fillMemory(): this {
    this.writer.raw([0xfc, 0x0b, 0x00]);
    return this;
  }

  initMemory(segment: number): this {
    this.writer.raw([0xfc, 0x08]).u32(segment).byte(0x00);
    return this;
  }

  finish(): Uint8Array {
    return this.writer.finish();
  }
}
