import { CodeWriter, type FunctionSource } from "@/lib/common/wasm";

/** Writes a piece of a function. */
export type Emit = (code: CodeWriter) => void;

export function bodyOf(...emits: readonly Emit[]): Uint8Array {
  const code = new CodeWriter();
  for (const emit of emits) emit(code);
  return code.finish();
}

/** `eval()`: settles. */
export function evalFunction(settle: Emit): FunctionSource {
  return { parameters: [], results: [], locals: [], body: bodyOf(settle) };
}

/** `step(n)`: n clock edges with the inputs as they are, then settle. */
export function stepFunction(edge: Emit, settle: Emit): FunctionSource {
  const body = bodyOf(
    (code) => {
      code.open("block").open("loop");
      code.index("local.get", 0).op("i32.eqz").index("br_if", 1);
    },
    edge,
    (code) => {
      code.index("local.get", 0).constant("i32", 1n).op("i32.sub").index("local.set", 0);
      code.index("br", 0).op("end").op("end");
    },
    settle,
  );
  return { parameters: ["i32"], results: [], locals: [], body };
}

/** `stepUntil` and `stepWhile` (offset, limit): settled clock cycles until the slot is so; answers their number. */
export function seekFunction(until: "zero" | "nonzero", edge: Emit, settle: Emit): FunctionSource {
  const [offset, limit, count] = [0, 1, 2];
  const body = bodyOf(
    (code) => {
      code.open("block").open("loop");
      code.index("local.get", count).index("local.get", limit).op("i32.ge_u").index("br_if", 1);
      code.index("local.get", offset).memory("i64.load", 0).op("i64.eqz");
      if (until === "nonzero") code.op("i32.eqz");
      code.index("br_if", 1);
    },
    edge,
    settle,
    (code) => {
      code.index("local.get", count).constant("i32", 1n).op("i32.add").index("local.set", count);
      code.index("br", 0).op("end").op("end");
      code.index("local.get", count);
    },
  );
  return { parameters: ["i32", "i32"], results: ["i32"], locals: ["i32"], body };
}
