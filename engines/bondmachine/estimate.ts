import { type BoardModel, listBoardModels } from "@/boards";
import { shellCells, usableCells } from "@/compiler";
import type { Fit } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { connectionsOf, type MachineLayer } from "../reference/machine-layer";
import { type NumberType, type NumberTypeId, numberTypeOf } from "../reference/number-type";
import { supports } from "./constraints";

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
const costs: Readonly<Record<NumberTypeId, Cost>> = {
  fps16f8: costOf(1, 1, { dsp: 1, multiplier: 330, cycles: 6, most: 12 }),
  fps32f16: costOf(1.98, 1.89, { dsp: 4, multiplier: 1300, cycles: 6, most: 12 }),
  float16: costOf(4.56, 4.16, { dsp: 1, multiplier: 160, cycles: 37, most: 128 }),
  float32: costOf(7.91, 7.85, { dsp: 4, multiplier: 800, cycles: 37, most: 128 }),
};

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
const cycles = { layer: 2, relu: 4, wrapper: 5, slack: 64 } as const;
/** Cells of the wrapper besides a register for each bit that it holds. */
const wrapper = { lut: 130, ff: 110 } as const;

/** What layers take as a machine of a type on a board. */
export function estimateMachine(
  layers: readonly MachineLayer[],
  type: NumberType,
  { part }: Pick<BoardModel, "part">,
): MachineEstimate {
  const cost = costs[type.id];
  const fanIns = layers.map((layer) => layer.bias.map((_, at) => connectionsOf(layer, at).length));
  const processors = fanIns.flat().length;
  const inputs = sum(fanIns.flat());
  const clamps = sum(layers.map(({ relu, outputSize }) => (relu ? outputSize : 0)));
  const held = ((layers[0]?.inputSize ?? 0) + (layers.at(-1)?.outputSize ?? 0)) * type.width;
  const dsp = processors * cost.dspPerProcessor;
  // Only iCE40's synthesis is told to leave its multipliers alone; every other takes one for each product that it finds.
  const inCells = part.resources.dsp === 0 || (part.family === "ice40" && dsp > part.resources.dsp);
  const machine =
    processors * (cost.lutPerProcessor + (inCells ? cost.multiplier : 0)) +
    inputs * cost.lutPerInput +
    clamps * cost.lutPerRelu;
  const along = (perInput: number) =>
    sum(
      layers.map(
        ({ relu }, at) =>
          perInput * Math.max(0, ...(fanIns[at] ?? [])) + cycles.layer + (relu ? cycles.relu : 0),
      ),
    ) + cycles.wrapper;
  return {
    lut: Math.round(machine + held / 2 + wrapper.lut + shellCells.lut),
    ff: Math.round(
      processors * cost.ffPerProcessor +
        inputs * cost.ffPerInput +
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

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Nearest boards that are named. */
const mostFits = 3;

/**
 * Refuses a machine that is too large for its part, naming what is lacking and which boards would hold it.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`
 */
export function refuseTooLarge(
  layers: readonly MachineLayer[],
  type: NumberTypeId,
  {
    board,
    options,
  }: { readonly board: BoardModel; readonly options: Readonly<Record<string, unknown>> },
): void {
  const number = numberTypeOf(type);
  const lacking = lackingOf(estimateMachine(layers, number, board), board);
  if (lacking.length === 0) return;
  const needs = lacking.map(
    ({ name, needed, available }) => `about ${needed} ${name.toLowerCase()} of ${available} usable`,
  );
  const fits = listBoardModels()
    .filter((other) => other.id !== board.id && supports(other, "simulated").ok)
    .filter((other) => lackingOf(estimateMachine(layers, number, other), other).length === 0)
    .sort((a, b) => a.part.resources.lut - b.part.resources.lut)
    .slice(0, mostFits)
    .map((other): Fit => ({ title: `On ${other.name}`, options: { ...options }, board: other.id }));
  throw fail(
    "MODEL_TOO_LARGE",
    `The machine does not fit ${board.name}: it needs ${needs.join(" and ")}.`,
    {
      hint: "Each neuron is a processor of its own. Prune connections, choose fps16f8 or a larger board, or the boardwalk engine, whose neurons share their arithmetic.",
      details: { lacking, fits },
    },
  );
}

function lackingOf({ lut, ff, dsp }: MachineEstimate, { part: { resources } }: BoardModel) {
  return [
    {
      id: "lut",
      name: "Logic cells",
      needed: lut,
      available: Math.floor(resources.lut * usableCells),
    },
    { id: "ff", name: "Flip-flops", needed: ff, available: Math.floor(resources.ff * usableCells) },
    { id: "dsp", name: "Multipliers", needed: dsp, available: resources.dsp },
  ].filter(({ needed, available }) => needed > available);
}
