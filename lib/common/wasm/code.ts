import { ByteWriter, type IntegerType } from "./encoder";

const vectorPrefix = 0xfd;
const vector = (number: number) => (vectorPrefix << 8) + number;

/** By name; those above a byte have the prefix of the vector instructions, and their number behind it. */
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
  "f32.load": 0x2a,
  "f64.load": 0x2b,
  "i32.load8_u": 0x2d,
  "i32.load16_u": 0x2f,
  "i32.store": 0x36,
  "i64.store": 0x37,
  "f32.store": 0x38,
  "f64.store": 0x39,
  "i32.store8": 0x3a,
  "i32.store16": 0x3b,
  "i32.eqz": 0x45,
  "i32.eq": 0x46,
  "i32.ne": 0x47,
  "i32.lt_s": 0x48,
  "i32.lt_u": 0x49,
  "i32.gt_s": 0x4a,
  "i32.gt_u": 0x4b,
  "i32.le_s": 0x4c,
  "i32.le_u": 0x4d,
  "i32.ge_s": 0x4e,
  "i32.ge_u": 0x4f,
  "i64.eqz": 0x50,
  "i64.eq": 0x51,
  "i64.ne": 0x52,
  "i64.lt_s": 0x53,
  "i64.lt_u": 0x54,
  "i64.gt_u": 0x56,
  "i64.le_u": 0x58,
  "i64.ge_u": 0x5a,
  "f32.ne": 0x5c,
  "f64.eq": 0x61,
  "f64.lt": 0x63,
  "f64.gt": 0x64,
  "i32.clz": 0x67,
  "i32.ctz": 0x68,
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
  "i64.clz": 0x79,
  "i64.ctz": 0x7a,
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
  "f32.copysign": 0x98,
  "f64.add": 0xa0,
  "f64.sub": 0xa1,
  "f64.mul": 0xa2,
  "f64.div": 0xa3,
  "f64.copysign": 0xa6,
  "i32.wrap_i64": 0xa7,
  "i64.extend_i32_s": 0xac,
  "i64.extend_i32_u": 0xad,
  "f32.demote_f64": 0xb6,
  "f64.convert_i64_s": 0xb9,
  "i32.reinterpret_f32": 0xbc,
  "f64.reinterpret_i64": 0xbf,
  "i32.extend8_s": 0xc0,
  "i32.extend16_s": 0xc1,
  "i64.extend8_s": 0xc2,
  "i64.extend16_s": 0xc3,
  "i64.extend32_s": 0xc4,
  "v128.load": vector(0),
  "v128.store": vector(11),
  "i8x16.lt_u": vector(38),
  "v128.and": vector(78),
  "i8x16.bitmask": vector(100),
  "i8x16.sub": vector(113),
  "i16x8.narrow_i32x4_u": vector(134),
  "i16x8.shr_u": vector(141),
  "i16x8.add": vector(142),
  "i16x8.mul": vector(149),
  "i32x4.dot_i16x8_s": vector(186),
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
  "f32.load": 2,
  "f64.load": 3,
  "f32.store": 2,
  "f64.store": 3,
};

/** Writes the instructions of one function. */
export class CodeWriter {
  private readonly writer = new ByteWriter();

  op(name: Opcode): this {
    const opcode = opcodes[name];
    if (opcode <= 0xff) this.writer.byte(opcode);
    else this.writer.byte(vectorPrefix).u32(opcode & 0xff);
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

  constant(type: IntegerType, value: bigint): this {
    this.writer
      .byte(type === "i32" ? 0x41 : 0x42)
      .signed(BigInt.asIntN(type === "i32" ? 32 : 64, value));
    return this;
  }

  constantFloat(value: number): this {
    const bytes = new Uint8Array(Float64Array.of(value).buffer);
    this.writer.byte(0x44).raw(bytes);
    return this;
  }

  /** A vector of 16 bytes. */
  constantVector(bytes: Uint8Array): this {
    this.writer.byte(vectorPrefix).u32(12).raw(bytes);
    return this;
  }

  /** One lane of a vector of 64-bit integers. */
  extractLane(lane: number): this {
    this.writer.byte(vectorPrefix).u32(29).byte(lane);
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
