import type { SimulationInterface } from "../interface";
import { CodeWriter } from "./code";
import type { Design } from "./design";
import { emitProgram } from "./emit-program";
import { encodeModule, type FunctionSource } from "./encoder";
import { type Layout, layOut, type VisiblePlace } from "./layout";
import { type Commit, planProgram } from "./program";

const pageBytes = 65_536;

/** The WebAssembly module of a design and the interface it carries. */
export function emitModule(design: Design): { wasm: Uint8Array; interface: SimulationInterface } {
  const layout = layOut(design);
  const settle = emitProgram(planProgram(settleCommits(design, layout)), design, layout);
  const edge = emitProgram(planProgram(edgeCommits(design, layout)), design, layout);
  const image = initialImage(design, layout);

  const callSettle = callRange(0, settle.length);
  const callEdge = callRange(settle.length, edge.length);
  const first = settle.length + edge.length;
  const describe = (place: VisiblePlace) => ({
    name: place.name,
    width: place.node.width,
    offset: place.offset,
  });
  const description: SimulationInterface = {
    schemaVersion: 1,
    top: design.top,
    clock: design.clock ?? null,
    ports: [
      ...design.inputs.map(({ name, width }, index) => ({
        name,
        direction: "in" as const,
        width,
        offset: layout.slotOffset(index),
      })),
      ...layout.outputs.map((place) => ({ ...describe(place), direction: "out" as const })),
    ],
    signals: layout.signals.map(describe),
    cells: design.cells,
  };
  const wasm = encodeModule({
    functions: [
      ...settle,
      ...edge,
      resetFunction(layout, image, callSettle),
      { parameters: [], results: [], locals: [], body: bodyOf(callSettle) },
      stepFunction(callEdge, callSettle),
      seekFunction("nonzero", callEdge, callSettle),
      seekFunction("zero", callEdge, callSettle),
    ],
    exports: {
      reset: first,
      eval: first + 1,
      step: first + 2,
      stepUntil: first + 3,
      stepWhile: first + 4,
    },
    memoryPages: Math.max(1, Math.ceil(layout.sizeBytes() / pageBytes)),
    segments: image.map((piece) => piece.bytes),
    customSection: { name: "boardwalk.simulation", text: JSON.stringify(description) },
  });
  return { wasm, interface: description };
}

/** What the world sees after inputs changed: outputs, kept signals, asynchronous resets. */
function settleCommits(design: Design, layout: Layout): Commit[] {
  const commits: Commit[] = [...layout.outputs, ...layout.signals]
    .filter((place) => place.stored)
    .map(({ node, offset }) => ({ kind: "store", node, offset }));
  for (const { held, slot } of design.registers) {
    if (held) commits.push({ kind: "store", node: held, offset: layout.slotOffset(slot) });
  }
  return commits;
}

/** What a rising clock edge changes. */
function edgeCommits(design: Design, layout: Layout): Commit[] {
  const commits: Commit[] = [];
  for (const { next, slot } of design.registers) {
    if (next.op === "load" && next.index === slot) continue;
    commits.push({ kind: "store", node: next, offset: layout.slotOffset(slot) });
  }
  for (const write of design.writes) commits.push({ kind: "write", write });
  return commits;
}

interface ImagePiece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Initial registers and memory contents, without what is 0 anyway. */
function initialImage(design: Design, layout: Layout): ImagePiece[] {
  const registers = new Uint8Array(design.registers.length * 8);
  const view = new DataView(registers.buffer);
  design.registers.forEach(({ initial }, index) => {
    view.setBigUint64(index * 8, initial, true);
  });
  const pieces = [{ offset: layout.state.offset, bytes: registers }];
  design.memories.forEach(({ initial }, index) => {
    const place = layout.memories[index];
    if (!place) return;
    const bytes = new Uint8Array(initial.length * place.elementBytes);
    initial.forEach((word, at) => {
      for (let byte = 0; byte < place.elementBytes; byte++) {
        bytes[at * place.elementBytes + byte] = Number((word >> BigInt(8 * byte)) & 0xffn);
      }
    });
    pieces.push({ offset: place.offset, bytes });
  });
  return pieces.flatMap(({ offset, bytes }) => {
    const length = bytes.findLastIndex((byte) => byte !== 0) + 1;
    return length > 0 ? [{ offset, bytes: bytes.slice(0, length) }] : [];
  });
}

type Emit = (code: CodeWriter) => void;

const callRange =
  (first: number, count: number): Emit =>
  (code) => {
    for (let index = first; index < first + count; index++) code.index("call", index);
  };

function bodyOf(...emits: readonly Emit[]): Uint8Array {
  const code = new CodeWriter();
  for (const emit of emits) emit(code);
  return code.finish();
}

function resetFunction(
  { state }: Layout,
  image: readonly ImagePiece[],
  settle: Emit,
): FunctionSource {
  const number = (code: CodeWriter, value: number): CodeWriter =>
    code.constant("i32", BigInt(value));
  const body = bodyOf((code) => {
    number(number(number(code, state.offset), 0), state.sizeBytes).fillMemory();
    image.forEach(({ offset, bytes }, segment) => {
      number(number(number(code, offset), 0), bytes.length).initMemory(segment);
    });
  }, settle);
  return { parameters: [], results: [], locals: [], body };
}

/** `step(n)`: n clock edges with the inputs as they are, then settle. */
function stepFunction(edge: Emit, settle: Emit): FunctionSource {
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
function seekFunction(until: "zero" | "nonzero", edge: Emit, settle: Emit): FunctionSource {
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
