import type { CodeWriter, FunctionSource } from "@/lib/common/wasm";
import { bodyOf, type Emit } from "./emit-exports";

interface RowParts {
  /** Offset of a port's slot. */
  readonly slotOf: (port: string) => number;
  readonly edge: Emit;
  /** Settles at least the ports of a core. */
  readonly settlePorts: Emit;
  /** Settles everything. */
  readonly settle: Emit;
}

const [row, rowBytes, answer, answerBytes, limit, passed, cycle] = [0, 1, 2, 3, 4, 5, 6];

/**
 * `answerRow` (row, rowBytes, answer, answerBytes, limit): sends a row through a core and takes its answer. Answers the
 * bytes that passed, fewer when a wait reached the limit; -1 when the core marks another byte as its last.
 */
export function rowFunction(parts: RowParts): FunctionSource {
  return {
    parameters: ["i32", "i32", "i32", "i32", "i32"],
    results: ["i32"],
    locals: ["i32", "i32"],
    body: bodyOf(sendRow(parts), takeAnswer(parts), parts.settle, (code) =>
      code.index("local.get", passed),
    ),
  };
}

function sendRow({ slotOf, edge, settlePorts }: RowParts): Emit {
  const put = (code: CodeWriter, port: string, value: Emit): void => {
    code.constant("i32", 0n);
    value(code);
    code.memory("i32.store", slotOf(port));
  };
  return (code) => {
    put(code, "in_valid", () => code.constant("i32", 1n));
    code.open("block").open("loop");
    code.index("local.get", passed).index("local.get", rowBytes).op("i32.ge_u").index("br_if", 1);
    put(code, "in_data", () => code.index("local.get", row).memory("i32.load8_u", 0));
    add(code, row, 1n);
    add(code, passed, 1n);
    put(code, "in_last", () =>
      code.index("local.get", passed).index("local.get", rowBytes).op("i32.eq"),
    );
    settlePorts(code);
    code.constant("i32", 0n).index("local.set", cycle);
    waitFor(code, slotOf("in_ready"), {
      tick: [edge, settlePorts],
      otherwise: () => code.index("local.get", passed).constant("i32", 1n).op("i32.sub"),
    });
    edge(code);
    code.index("br", 0).op("end").op("end");
    put(code, "in_valid", () => code.constant("i32", 0n));
    settlePorts(code);
  };
}

function takeAnswer({ slotOf, edge, settlePorts }: RowParts): Emit {
  const total = (code: CodeWriter): CodeWriter =>
    code.index("local.get", rowBytes).index("local.get", answerBytes).op("i32.add");
  const get = (code: CodeWriter, port: string): CodeWriter =>
    code.constant("i32", 0n).memory("i32.load", slotOf(port));
  return (code) => {
    code.constant("i32", 1n).index("local.set", cycle);
    code.open("block").open("loop");
    code.index("local.get", passed);
    total(code).op("i32.ge_u").index("br_if", 1);
    waitFor(code, slotOf("out_valid"), {
      tick: [edge, settlePorts],
      otherwise: () => code.index("local.get", passed),
    });
    code.index("local.get", passed).index("local.get", rowBytes).op("i32.eq").open("if");
    get(code.index("local.get", answer), "cycles").memory("i32.store", 0).op("end");
    get(code.index("local.get", answer), "out_data").memory("i32.store8", 4);
    add(code, answer, 1n);
    add(code, passed, 1n);
    total(get(code, "out_last").index("local.get", passed)).op("i32.eq").op("i32.xor").open("if");
    code.constant("i32", -1n).op("return").op("end");
    for (const emit of [edge, settlePorts]) emit(code);
    add(code, cycle, 1n);
    code.index("br", 0).op("end").op("end");
  };
}

/** Clocks until a one-bit slot is 1; where `cycle` has reached the limit before, the function answers `otherwise`. */
function waitFor(
  code: CodeWriter,
  slot: number,
  { tick, otherwise }: { readonly tick: readonly Emit[]; readonly otherwise: Emit },
): void {
  code.open("block").open("loop");
  code.constant("i32", 0n).memory("i32.load", slot).index("br_if", 1);
  code.index("local.get", cycle).index("local.get", limit).op("i32.ge_u").open("if");
  otherwise(code);
  code.op("return").op("end");
  for (const emit of tick) emit(code);
  add(code, cycle, 1n);
  code.index("br", 0).op("end").op("end");
}

function add(code: CodeWriter, local: number, count: bigint): void {
  code.index("local.get", local).constant("i32", count).op("i32.add").index("local.set", local);
}
