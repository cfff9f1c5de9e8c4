export { CodeWriter, type Opcode } from "./code";
export { encodeModule, type FunctionSource, type IntegerType } from "./encoder";
export {
  block,
  call,
  type Expression,
  FunctionBuilder,
  f64,
  i32,
  i64,
  type Jump,
  type Local,
  loop,
  v128,
  when,
} from "./expression";
