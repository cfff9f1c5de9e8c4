import { CodeWriter, type Opcode } from "./code";
import type { FunctionSource, IntegerType, ValueType } from "./encoder";

/** A label, as far as it is open while instructions are written. */
type Label = symbol;

/** Where instructions go, and the labels that are open around them, the outermost first. */
interface Output {
  readonly code: CodeWriter;
  readonly labels: Label[];
}

/** Instructions that leave at most one value on the stack: a value, or a statement. */
export type Expression = (out: Output) => void;
/** A value, or a constant of the type that its place wants. */
export type Operand = Expression | number | bigint;

type Constant = (value: number | bigint) => Expression;

const integer =
  (type: IntegerType): Constant =>
  (value) =>
  ({ code }) =>
    code.constant(type, BigInt(value));
const float: Constant =
  (value) =>
  ({ code }) =>
    code.constantFloat(Number(value));
const never: Constant = () => {
  throw new RangeError("a constant of this type is not written as a number");
};

const toExpression = (operand: Operand, constant: Constant): Expression =>
  typeof operand === "function" ? operand : constant(operand);

const unary =
  (name: Opcode, constant: Constant) =>
  (value: Operand): Expression => {
    const inner = toExpression(value, constant);
    return (out) => {
      inner(out);
      out.code.op(name);
    };
  };

const binary =
  (name: Opcode, constant: Constant) =>
  (left: Operand, right: Operand): Expression => {
    const operands = [toExpression(left, constant), toExpression(right, constant)];
    return (out) => {
      for (const operand of operands) operand(out);
      out.code.op(name);
    };
  };

const load =
  (name: Opcode) =>
  (address: Operand, offset = 0): Expression => {
    const inner = toExpression(address, integer("i32"));
    return (out) => {
      inner(out);
      out.code.memory(name, offset);
    };
  };

const store =
  (name: Opcode, constant: Constant) =>
  (address: Operand, value: Operand, offset = 0): Expression => {
    const operands = [toExpression(address, integer("i32")), toExpression(value, constant)];
    return (out) => {
      for (const operand of operands) operand(out);
      out.code.memory(name, offset);
    };
  };

const choose =
  (constant: Constant) =>
  (condition: Operand, then: Operand, otherwise: Operand): Expression => {
    const operands = [
      toExpression(then, constant),
      toExpression(otherwise, constant),
      toExpression(condition, integer("i32")),
    ];
    return (out) => {
      for (const operand of operands) operand(out);
      out.code.op("select");
    };
  };

const ofI32 = integer("i32");
const ofI64 = integer("i64");

/** 32-bit integers. Shifts and comparisons are unsigned. */
export const i32 = {
  constant: ofI32,
  choose: choose(ofI32),
  add: binary("i32.add", ofI32),
  sub: binary("i32.sub", ofI32),
  mul: binary("i32.mul", ofI32),
  div: binary("i32.div_u", ofI32),
  and: binary("i32.and", ofI32),
  or: binary("i32.or", ofI32),
  xor: binary("i32.xor", ofI32),
  shl: binary("i32.shl", ofI32),
  shr: binary("i32.shr_u", ofI32),
  shrSigned: binary("i32.shr_s", ofI32),
  not: unary("i32.eqz", ofI32),
  eq: binary("i32.eq", ofI32),
  ne: binary("i32.ne", ofI32),
  lt: binary("i32.lt_u", ofI32),
  gt: binary("i32.gt_u", ofI32),
  le: binary("i32.le_u", ofI32),
  ge: binary("i32.ge_u", ofI32),
  ltSigned: binary("i32.lt_s", ofI32),
  gtSigned: binary("i32.gt_s", ofI32),
  leadingZeros: unary("i32.clz", ofI32),
  trailingZeros: unary("i32.ctz", ofI32),
  ofI64: unary("i32.wrap_i64", ofI64),
  load: load("i32.load"),
  load8: load("i32.load8_u"),
  store: store("i32.store", ofI32),
  store8: store("i32.store8", ofI32),
  store16: store("i32.store16", ofI32),
};

/** 64-bit integers. Shifts and comparisons are unsigned. */
export const i64 = {
  constant: ofI64,
  choose: choose(ofI64),
  add: binary("i64.add", ofI64),
  sub: binary("i64.sub", ofI64),
  mul: binary("i64.mul", ofI64),
  and: binary("i64.and", ofI64),
  or: binary("i64.or", ofI64),
  xor: binary("i64.xor", ofI64),
  shl: binary("i64.shl", ofI64),
  shr: binary("i64.shr_u", ofI64),
  eq: binary("i64.eq", ofI64),
  ne: binary("i64.ne", ofI64),
  lt: binary("i64.lt_u", ofI64),
  gt: binary("i64.gt_u", ofI64),
  leadingZeros: unary("i64.clz", ofI64),
  ofI32: unary("i64.extend_i32_u", ofI32),
  load: load("i64.load"),
  store: store("i64.store", ofI64),
};

/** Doubles, and float32 values where a name says so. */
export const f64 = {
  constant: float,
  add: binary("f64.add", float),
  sub: binary("f64.sub", float),
  mul: binary("f64.mul", float),
  div: binary("f64.div", float),
  eq: binary("f64.eq", float),
  lt: binary("f64.lt", float),
  withSignOf: binary("f64.copysign", float),
  /** Of a signed integer. */
  ofI64: unary("f64.convert_i64_s", ofI64),
  ofBits: unary("f64.reinterpret_i64", ofI64),
  load: load("f64.load"),
  store: store("f64.store", float),
  toF32: unary("f32.demote_f64", float),
  f32Differ: binary("f32.ne", never),
  storeF32: store("f32.store", never),
};

/** Vectors of 16 bytes, in lanes of whatever width. */
export const v128 = {
  constant:
    (bytes: readonly number[]): Expression =>
    ({ code }) =>
      code.constantVector(Uint8Array.from(bytes)),
  and: binary("v128.and", never),
  sub8: binary("i8x16.sub", never),
  lessThan8: binary("i8x16.lt_u", never),
  /** The uppermost bits of 16 bytes, the first one's the lowest. */
  mask8: unary("i8x16.bitmask", never),
  add16: binary("i16x8.add", never),
  mul16: binary("i16x8.mul", never),
  shr16: binary("i16x8.shr_u", ofI32),
  narrowTo16: binary("i16x8.narrow_i32x4_u", never),
  /** Products of 16-bit lanes, two neighbours added to one of 32 bits. */
  dot: binary("i32x4.dot_i16x8_s", never),
  lane64:
    (vector: Expression, lane: number): Expression =>
    (out) => {
      vector(out);
      out.code.extractLane(lane);
    },
  load: load("v128.load"),
};

/** A local variable of a function. */
export interface Local {
  readonly get: Expression;
  set(value: Operand): Expression;
}

const write = (statements: readonly Expression[], out: Output): void => {
  for (const statement of statements) statement(out);
};

/** Runs statements where a condition is not zero. */
export const when =
  (condition: Expression, statements: readonly Expression[]): Expression =>
  (out) => {
    condition(out);
    out.code.open("if");
    out.labels.push(Symbol());
    write(statements, out);
    out.labels.pop();
    out.code.op("end");
  };

/** A jump to a label, if a condition is not zero. */
export type Jump = (condition?: Expression) => Expression;

const labelled =
  (kind: "block" | "loop") =>
  (inner: (jump: Jump) => readonly Expression[]): Expression =>
  (out) => {
    const label = Symbol();
    const jump: Jump = (condition) => (at) => {
      condition?.(at);
      at.code.index(condition ? "br_if" : "br", at.labels.length - 1 - at.labels.indexOf(label));
    };
    out.code.open(kind);
    out.labels.push(label);
    write(inner(jump), out);
    out.labels.pop();
    out.code.op("end");
  };

/** Statements that `jump` leaves. */
export const block = labelled("block");
/** Statements that `jump` begins anew; at their end the loop is over. */
export const loop = labelled("loop");

/** A function under construction: its parameters, then the locals that are asked for. */
export class FunctionBuilder {
  private readonly parameters: ValueType[] = [];
  private readonly locals: ValueType[] = [];

  /** The next parameter; all come before the first local. */
  parameter(type: ValueType): Local {
    this.parameters.push(type);
    return localAt(this.parameters.length - 1, type);
  }

  local(type: ValueType): Local {
    this.locals.push(type);
    return localAt(this.parameters.length + this.locals.length - 1, type);
  }

  /** The function that runs statements and answers a value. */
  finish(result: ValueType, statements: readonly Expression[], value: Expression): FunctionSource {
    const out: Output = { code: new CodeWriter(), labels: [] };
    write([...statements, value], out);
    const { parameters, locals } = this;
    return { parameters, results: [result], locals, body: out.code.finish() };
  }
}

const constants = { i32: ofI32, i64: ofI64, f32: never, f64: float, v128: never };

function localAt(index: number, type: ValueType): Local {
  return {
    get: ({ code }) => code.index("local.get", index),
    set(value) {
      const inner = toExpression(value, constants[type]);
      return (out) => {
        inner(out);
        out.code.index("local.set", index);
      };
    },
  };
}

/** Calls a function of the module by its number. */
export const call =
  (index: number, operands: readonly Expression[]): Expression =>
  (out) => {
    write(operands, out);
    out.code.index("call", index);
  };
