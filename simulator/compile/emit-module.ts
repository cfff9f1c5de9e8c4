import { type CodeWriter, encodeModule, type FunctionSource } from "@/lib/common/wasm";
import { missingCorePort } from "../core-ports";
import type { SimulationInterface } from "../interface";
import { planEdge } from "./clocking/plan-edge";
import type { Design } from "./design";
import { emitEdge } from "./emit-edge";
import { bodyOf, type Emit, evalFunction, seekFunction, stepFunction } from "./emit-exports";
import { emitProgram } from "./emit-program";
import { rowFunction } from "./emit-row";
import { type Layout, layOut, type VisiblePlace } from "./layout";
import { type Commit, planProgram } from "./program";

const pageBytes = 65_536;

/** The WebAssembly module of a design and the interface it carries. */
export function emitModule(design: Design): { wasm: Uint8Array; interface: SimulationInterface } {
  const plan = planEdge(design);
  const clocked = { ...design, registers: plan.registers };
  const layout = layOut(clocked);
  const description = describe(design, layout);
  const image = initialImage(clocked, layout);
  const functions: FunctionSource[] = [];
  const add = (more: readonly FunctionSource[]): number => functions.push(...more) - more.length;

  const settle = addSettling(design, layout, { places: visiblePlaces(layout), add });
  const emitted = emitEdge(plan, design, layout);
  const firstOfEdge = add(emitted.functions);
  const edge: Emit = (code) => emitted.drive(code, firstOfEdge);
  const exports: Record<string, number> = {
    reset: add([resetFunction(layout, image, settle)]),
    eval: add([evalFunction(settle)]),
    step: add([stepFunction(edge, settle)]),
    stepUntil: add([seekFunction("nonzero", edge, settle)]),
    stepWhile: add([seekFunction("zero", edge, settle)]),
  };
  const isCore = !missingCorePort(description.ports);
  if (isCore) {
    const settlePorts =
      layout.signals.length > 0
        ? addSettling(design, layout, { places: layout.outputs, add })
        : settle;
    const slots = new Map(description.ports.map(({ name, offset }) => [name, offset]));
    const slotOf = (port: string): number => slots.get(port) ?? 0;
    exports["answerRow"] = add([rowFunction({ slotOf, edge, settlePorts, settle })]);
  }
  const wasm = encodeModule({
    functions,
    exports,
    memoryPages: pagesOf(layout) + (isCore ? 1 : 0),
    segments: image.map((piece) => piece.bytes),
    customSection: { name: "boardwalk.simulation", text: JSON.stringify(description) },
  });
  return { wasm, interface: description };
}

const pagesOf = (layout: Layout): number => Math.max(1, Math.ceil(layout.sizeBytes() / pageBytes));

const visiblePlaces = (layout: Layout): readonly VisiblePlace[] => [
  ...layout.outputs,
  ...layout.signals,
];

function describe(design: Design, layout: Layout): SimulationInterface {
  const place = ({ name, node, offset }: VisiblePlace) => ({ name, width: node.width, offset });
  const inputs = design.inputs.map(({ name, width }, index) => ({
    name,
    direction: "in" as const,
    width,
    offset: layout.slotOffset(index),
  }));
  return {
    schemaVersion: 1,
    top: design.top,
    clock: design.clock ?? null,
    ports: [
      ...inputs,
      ...layout.outputs.map((output) => ({ ...place(output), direction: "out" as const })),
    ],
    signals: layout.signals.map(place),
    cells: design.cells,
  };
}

/** Adds the functions that compute what the world sees after inputs changed: some visible values, asynchronous resets. */
function addSettling(
  design: Design,
  layout: Layout,
  {
    places,
    add,
  }: {
    readonly places: readonly VisiblePlace[];
    readonly add: (functions: readonly FunctionSource[]) => number;
  },
): Emit {
  const commits: Commit[] = places
    .filter((place) => place.stored)
    .map(({ node, offset }) => ({ kind: "store", node, offset }));
  for (const { held, slot } of design.registers) {
    if (held) commits.push({ kind: "store", node: held, offset: layout.slotOffset(slot) });
  }
  const functions = emitProgram(planProgram(commits), design, layout);
  const first = add(functions);
  return (code) => {
    for (let index = first; index < first + functions.length; index++) code.index("call", index);
  };
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
