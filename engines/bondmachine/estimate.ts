import type { BoardModel } from "@/boards";
import { type Lacking, lackingOf, shellCells, usableCells } from "@/compiler/forecast";
import { type NumberTypeId, numberTypeOf } from "../reference/number-type";
import type { LayerSizes, MachineSizes } from "./sizes";

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
  /** Of machines that have a processor for each weight: one of those, and one that sums them. */
  readonly weight: SplitCost;
  readonly neuron: SplitCost;
}

interface SplitCost {
  readonly lut: number;
  readonly ff: number;
}

/**
 * Fitted to machines that Yosys 0.55 mapped to iCE40: the cells of 4-1-2 (500), 2-2-1 with ReLU (532) and 16-8-4-4-5 (7,961) in
 * 16-bit fixed point are met to 2 %, their flip-flops (323, 358, 2,463) to 10 %; other types by their ratio on 4-1-2. Products in
 * cells are a guess, which nothing was measured for. Cycles of fixed point are those of all recorded machines, to 2; those of
 * floats depend on the values, by recordings 23 to 62 for each input. Weights and neurons of their own are fitted to 4-1-2 by
 * neuralbond, which takes 997 cells and 986 flip-flops in `fps16f8` and 6,856 and 5,533 in `float32`; other types by ratio.
 */
const fixedSplit = { weight: { lut: 43, ff: 62 }, neuron: { lut: 136, ff: 84 } } as const;
const floatSplit = { weight: { lut: 596, ff: 477 }, neuron: { lut: 564, ff: 429 } } as const;
const costs = {
  fixed16: costOf(1, 1, { dsp: 1, multiplier: 330, cycles: 6, most: 12, split: fixedSplit }),
  fixed32: costOf(1.98, 1.89, {
    ...{ dsp: 4, multiplier: 1300, cycles: 6, most: 12 },
    split: scaled(fixedSplit, 1.98, 1.89),
  }),
  float16: costOf(4.56, 4.16, {
    ...{ dsp: 1, multiplier: 160, cycles: 37, most: 128 },
    split: scaled(floatSplit, 4.56 / 7.91, 4.16 / 7.85),
  }),
  float32: costOf(7.91, 7.85, {
    dsp: 4,
    multiplier: 800,
    cycles: 37,
    most: 128,
    split: floatSplit,
  }),
} as const;

/**
 * A processor of softmax in `float32`: two of two scores each, with the weights of 1 before them, make 4-1-2 by neuralbond
 * 14,783 cells and 10,571 flip-flops; what each further score takes is a guess. Cycles are those of 2-2-softmax by 5 terms, which
 * is recorded with 2,192 to 3,039, most rows near 2,310: how they divide between terms and scores follows from the instructions,
 * and the most is for scores so near 0 that sums wait for their alignment.
 */
const softmaxCost = {
  ...{ lut: 2_511, lutPerScore: 130, ff: 1_501, ffPerScore: 32 },
  usual: { term: 180, score: 130, end: 85 },
  most: { term: 480, score: 330, end: 160 },
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
    readonly split: Pick<Cost, "weight" | "neuron">;
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
    ...words.split,
  };
}

function scaled({ weight, neuron }: Pick<Cost, "weight" | "neuron">, lut: number, ff: number) {
  const by = (cost: SplitCost) => ({ lut: cost.lut * lut, ff: cost.ff * ff });
  return { weight: by(weight), neuron: by(neuron) };
}

/** Cycles of a layer besides those of its inputs, of the wrapper, and how much later a machine may be. */
const cycles = { layer: 2, relu: 4, wrapper: 5, slack: 64, fragment: 5 } as const;
/** What a processor takes that only passes a value on, besides a register at either side of it: a guess. */
const terminal = { lut: 15, lutPerBit: 1.6, ff: 8, ffPerBit: 2 } as const;
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
  const { width } = numberTypeOf(type);
  const clamps = sum(layers.map((layer) => (layer.relu ? layer.processors : 0)));
  const held = (sizes.inputs + sizes.outputs) * width;
  const { terminals, multipliers } = countsOf(sizes);
  const taken = takenBy(sizes, cost);
  const dsp = multipliers * cost.dspPerProcessor;
  // Only iCE40's synthesis is told to leave its multipliers alone; every other takes one for each product that it finds.
  const inCells = part.resources.dsp === 0 || (part.family === "ice40" && dsp > part.resources.dsp);
  const machine =
    taken.lut +
    terminals * (terminal.lut + terminal.lutPerBit * width) +
    (inCells ? multipliers * cost.multiplier : 0) +
    clamps * cost.lutPerRelu;
  return {
    lut: Math.round(machine + held / 2 + wrapper.lut + shellCells.lut),
    ff: Math.round(
      taken.ff +
        terminals * (terminal.ff + terminal.ffPerBit * width) +
        held +
        wrapper.ff +
        shellCells.flipFlops,
    ),
    bramBlocks: shellCells.bramBlocks + 1,
    dsp: inCells ? 0 : dsp,
    latencyCycles: cyclesAlong(sizes, cost.cyclesPerInput, softmaxCost.usual),
    mostCycles: cyclesAlong(sizes, cost.mostPerInput, softmaxCost.most) + cycles.slack,
    multipliesInCells: inCells,
  };
}

/** Cells and flip-flops of all processors that compute. */
function takenBy(sizes: MachineSizes, cost: Cost): SplitCost {
  const { processors, connections, softmaxes, scores } = countsOf(sizes);
  const { weight, neuron } = cost;
  const softmax = {
    lut: softmaxes * softmaxCost.lut + scores * softmaxCost.lutPerScore,
    ff: softmaxes * softmaxCost.ff + scores * softmaxCost.ffPerScore,
  };
  if (sizes.form !== "split") {
    return {
      lut: processors * cost.lutPerProcessor + connections * cost.lutPerInput + softmax.lut,
      ff: processors * cost.ffPerProcessor + connections * cost.ffPerInput + softmax.ff,
    };
  }
  const weights = connections + scores + sizes.outputs;
  const neurons = processors - sizes.outputs;
  return {
    lut: weights * weight.lut + neurons * neuron.lut + softmax.lut,
    ff: weights * weight.ff + neurons * neuron.ff + softmax.ff,
  };
}

/**
 * From the inputs to the last output.
 *
 * @param perInput Cycles of a fetch, a product and a sum.
 * @param softmax Those of a term, of a score besides its terms, and of what comes after all of them.
 */
function cyclesAlong(
  { form, layers }: MachineSizes,
  perInput: number,
  softmax: { readonly term: number; readonly score: number; readonly end: number },
): number {
  const isSplit = form === "split";
  // A weight of its own works beside the others of its neuron, which then only adds.
  const shareOfNeuron = isSplit ? 0.5 : 1;
  const stage = perInput + cycles.fragment;
  const own = layers.map(({ relu, widest, softmaxTerms }) => {
    const sums = perInput * widest * shareOfNeuron;
    const powers = ((softmaxTerms ?? 0) * softmax.term + softmax.score) * widest + softmax.end;
    return (
      (softmaxTerms === undefined ? sums : powers + (isSplit ? 0 : sums)) +
      (isSplit ? stage : 0) +
      cycles.layer +
      (relu ? cycles.relu : 0)
    );
  });
  // neuralbond's machines also pass a terminal at either end, and the weights of the outputs.
  return Math.round(sum(own) + (form === "direct" ? 0 : stage) + cycles.wrapper);
}

/**
 * Processors that sum, with the weights of the outputs, and what they read; those of softmax and theirs; those that only pass a
 * value on; and those that multiply, which have a multiplier each.
 */
function countsOf({ form, inputs, outputs, layers }: MachineSizes) {
  const isSoftmax = ({ softmaxTerms }: LayerSizes) => softmaxTerms !== undefined;
  const countOf = (what: "processors" | "connections", of: readonly LayerSizes[]) =>
    sum(of.map((layer) => layer[what]));
  const [sums, last] = [layers.filter((each) => !isSoftmax(each)), layers.filter(isSoftmax)];
  const [neurons, softmaxes] = [countOf("processors", sums), countOf("processors", last)];
  const [connections, scores] = [countOf("connections", sums), countOf("connections", last)];
  const ends = form === "direct" ? 0 : outputs;
  const multiplying = form === "split" ? connections + scores : neurons;
  return {
    processors: neurons + ends,
    terminals: form === "direct" ? 0 : inputs + outputs,
    multipliers: multiplying + softmaxes + ends,
    ...{ connections, softmaxes, scores },
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
