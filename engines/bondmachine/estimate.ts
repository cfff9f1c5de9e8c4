import type { BoardModel } from "@/boards";
import { type Lacking, lackingOf, shellCells, usableCells } from "@/compiler/forecast";
import { type NumberTypeId, numberTypeOf } from "../reference/number-type";
import type { MachineSizes } from "./sizes";

/** Machines run at about half the clock of the compiler's own cores, whose products and sums have registers between. */
export const machineClockShare = 0.5;

/** What a machine will take of a part, by its sizes alone. */
export interface MachineEstimate {
  readonly lut: number;
  readonly ff: number;
  readonly bramBlocks: number;
  readonly dsp: number;
  /** From the last input byte to the first of the answer, usually, and at most. */
  readonly latencyCycles: number;
  readonly mostCycles: number;
  /** Whether products are made of logic cells, since the part has too few multipliers. */
  readonly multipliesInCells: boolean;
}

interface Cost {
  readonly lutPerProcessor: number;
  readonly lutPerInput: number;
  readonly lutPerRelu: number;
  readonly ffPerProcessor: number;
  readonly ffPerInput: number;
  readonly dspPerProcessor: number;
  /** Cells of a processor's multiplier where no blocks make it. */
  readonly multiplier: number;
  /** Of one input: fetching it, its weight, the product and the sum. */
  readonly cyclesPerInput: number;
  readonly mostPerInput: number;
}

/**
 * Fitted to machines that Yosys 0.55 mapped to iCE40: the cells of 4-1-2 (500), 2-2-1 with ReLU (532) and 16-8-4-4-5 (7,961) in
 * 16-bit fixed point are met to 2 %, their flip-flops (323, 358, 2,463) to 10 %; other types by their ratio on 4-1-2. Products in
 * cells are a guess, which nothing was measured for. Cycles of fixed point are those of all recorded machines, to 2; those of
 * floats depend on the values, by recordings 23 to 62 for each input.
 */
const costs = {
  fixed16: costOf(1, 1, { dsp: 1, multiplier: 330, cycles: 6, most: 12 }),
  fixed32: costOf(1.98, 1.89, { dsp: 4, multiplier: 1300, cycles: 6, most: 12 }),
  float16: costOf(4.56, 4.16, { dsp: 1, multiplier: 160, cycles: 37, most: 128 }),
  float32: costOf(7.91, 7.85, { dsp: 4, multiplier: 800, cycles: 37, most: 128 }),
} as const;

/** Where the point lies costs nothing. */
function costOfType(type: NumberTypeId): Cost {
  const { width, float } = numberTypeOf(type);
  if (float === null) return width === 16 ? costs.fixed16 : costs.fixed32;
  return float === "FP16" ? costs.float16 : costs.float32;
}

function costOf(
  lut: number,
  ff: number,
  words: {
    readonly dsp: number;
    readonly multiplier: number;
    readonly cycles: number;
    readonly most: number;
  },
): Cost {
  return {
    lutPerProcessor: 109 * lut,
    lutPerInput: 29 * lut,
    lutPerRelu: 16 * lut,
    ffPerProcessor: 105 * ff,
    ffPerInput: 1.3 * ff,
    dspPerProcessor: words.dsp,
    multiplier: words.multiplier,
    cyclesPerInput: words.cycles,
    mostPerInput: words.most,
  };
}

/** Cycles of a layer besides those of its inputs, of the wrapper, and how much later a machine may be. */
const cycles = { layer: 2, relu: 4, wrapper: 5, slack: 64, fragment: 5 } as const;
/** What a processor that only passes a value on takes of one that computes: a guess, which nothing was measured for. */
const terminalShare = 0.4;
/** Cells of the wrapper besides a register for each bit that it holds. */
const wrapper = { lut: 130, ff: 110 } as const;

/** What a machine takes on a board. */
export function estimateMachine(
  sizes: MachineSizes,
  type: NumberTypeId,
  { part }: Pick<BoardModel, "part">,
): MachineEstimate {
  const cost = costOfType(type);
  const { layers } = sizes;
  const neurons = sum(layers.map((layer) => layer.processors));
  const connections = sum(layers.map((layer) => layer.connections));
  const clamps = sum(layers.map((layer) => (layer.relu ? layer.processors : 0)));
  const held = (sizes.inputs + sizes.outputs) * numberTypeOf(type).width;
  const { processors, terminals, multipliers } = countsOf(sizes, { neurons, connections });
  const dsp = multipliers * cost.dspPerProcessor;
  // Only iCE40's synthesis is told to leave its multipliers alone; every other takes one for each product that it finds.
  const inCells = part.resources.dsp === 0 || (part.family === "ice40" && dsp > part.resources.dsp);
  const machine =
    (processors + terminals * terminalShare) * cost.lutPerProcessor +
    (inCells ? multipliers * cost.multiplier : 0) +
    connections * cost.lutPerInput +
    clamps * cost.lutPerRelu;
  const along = (perInput: number) => cyclesAlong(sizes, perInput);
  return {
    lut: Math.round(machine + held / 2 + wrapper.lut + shellCells.lut),
    ff: Math.round(
      (processors + terminals * terminalShare) * cost.ffPerProcessor +
        connections * cost.ffPerInput +
        held +
        wrapper.ff +
        shellCells.flipFlops,
    ),
    bramBlocks: shellCells.bramBlocks + 1,
    dsp: inCells ? 0 : dsp,
    latencyCycles: along(cost.cyclesPerInput),
    mostCycles: along(cost.mostPerInput) + cycles.slack,
    multipliesInCells: inCells,
  };
}

/** From the inputs to the last output. @param perInput Cycles of a fetch, a product and a sum. */
function cyclesAlong({ form, layers }: MachineSizes, perInput: number): number {
  const isSplit = form === "split";
  // A weight of its own works beside the others of its neuron, which then only adds.
  const shareOfNeuron = isSplit ? 0.5 : 1;
  const stage = perInput + cycles.fragment;
  const own = layers.map(
    ({ relu, widest }) =>
      perInput * widest * shareOfNeuron +
      (isSplit ? stage : 0) +
      cycles.layer +
      (relu ? cycles.relu : 0),
  );
  // neuralbond's machines also pass a terminal at either end, and the weights of the outputs.
  return Math.round(sum(own) + (form === "direct" ? 0 : stage) + cycles.wrapper);
}

/** Processors that compute, those that only pass a value on, and those that multiply, which have a multiplier each. */
function countsOf(
  { form, inputs, outputs }: MachineSizes,
  { neurons, connections }: { readonly neurons: number; readonly connections: number },
) {
  if (form === "direct") return { processors: neurons, terminals: 0, multipliers: neurons };
  const multipliers = (form === "split" ? connections : neurons) + outputs;
  return {
    processors: multipliers + (form === "split" ? neurons : 0),
    terminals: inputs + outputs,
    multipliers,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Relative errors of an estimate. Sizes of fixed point were measured; floats' cycles depend on their values. */
export const errorsOf = (
  type: NumberTypeId,
): { readonly cells: number; readonly cycles: number } =>
  numberTypeOf(type).float === null ? { cells: 0.15, cycles: 0.01 } : { cells: 0.3, cycles: 0.7 };

/** What a machine needs more of than a part has, and the same as what follows "it". */
export function lackOf(
  sizes: MachineSizes,
  type: NumberTypeId,
  board: Pick<BoardModel, "part">,
): { readonly lacking: readonly Lacking[]; readonly lack: string } {
  const { lut, ff, dsp } = estimateMachine(sizes, type, board);
  const { resources } = board.part;
  const lacking = [
    lackingOf("lut", lut, Math.floor(resources.lut * usableCells)),
    lackingOf("ff", ff, Math.floor(resources.ff * usableCells)),
    lackingOf("dsp", dsp, resources.dsp),
  ].filter(({ needed, available }) => needed > available);
  const needs = lacking.map(
    ({ name, needed, available }) => `about ${needed} ${name.toLowerCase()} of ${available} usable`,
  );
  return { lacking, lack: `needs ${needs.join(" and ")}` };
}
