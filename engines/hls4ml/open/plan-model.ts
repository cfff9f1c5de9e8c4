import { type Graph, randomFrom } from "@/compiler";
import type { ArtifactIo } from "@/lib/common/contract";
import { corePortOf } from "@/lib/common/core-io";
import { fail } from "@/lib/common/errors";
import { nearestStep } from "@/lib/common/fixed-point";
import type { Rows } from "@/lib/common/rows";
import { ioOf } from "../../cpu-io";
import type { PlanRequest } from "../../engine";
import type { CoreDesign } from "../../fpga/core-design";
import { expectedResources } from "../../fpga/expected-resources";
import type { AdderProgram } from "../../reference/adder-program";
import type { Options } from "../options";
import { cellsOfBits, roomOn } from "./estimate";
import { latencyOf } from "./latency";
import { makingOfModel } from "./making";

/** Words that the host sends and gets: inputs of at most two bytes, scores of four with half of their bits behind the point. */
const mostInputBits = 16;
const score = { width: 32, fraction: 16 } as const;

/** Bits of da4ml's adders for each weight of a network that HGQ2 trained: 14 in the least that was tried. */
const bitsPerWeight = 14;
/** Levels of a layer besides the tree that sums its digits: cutting its inputs, its bias, ReLU. */
const levelsPerLayer = 2;
/** Digits of a weight, so that the depth of the tree is known. */
const digitsPerWeight = 2;

const randomRows = 400;
const ownRows = 256;

/**
 * The core of a model with layers of HGQ2. Its bits are known to HGQ2 alone, so da4ml reads the file itself; edges, cycles and
 * vectors are planned here, and the software model comes out of the step.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
export function designOfModel(
  { model, board, card, calibration }: PlanRequest,
  graph: Graph,
  { width, integerBits, levels }: Options,
): CoreDesign {
  const { format, bytes } = model;
  if (format !== "keras") {
    throw fail("MODEL_UNSUPPORTED", "Layers of HGQ2 are read from .keras files alone.", {
      hint: "Save the model again with model.save() as .keras.",
    });
  }
  if (width > mostInputBits) {
    throw fail(
      "OPTION_INVALID",
      `Inputs of firmware have at most ${mostInputBits} bits, not ${width}.`,
      {
        field: "options.width",
      },
    );
  }
  const fraction = width - integerBits;
  const io = wordsOf(ioOf(graph, card), { width, fraction });
  const planned = edgesOf(io, { width, fraction });
  const matrices = matricesOf(graph);
  const stages = Math.max(1, Math.ceil(levelsOf(graph, matrices) / levels));
  const weights = matrices.reduce(
    (sum, { inputs, outputs, rows }) => sum + inputs * outputs * rows,
    0,
  );
  const words = vectorsOf(planned.input, { width, calibration });
  const { besides, ...room } = roomOn(board);
  const latencyCycles = latencyOf(stages);
  const lut = cellsOfBits(weights * bitsPerWeight, board);
  return {
    engine: "hls4ml",
    reference: {
      ...planned,
      schemaVersion: 1,
      machine: "da4ml",
      nodes: [],
      operations: [],
      outputs: [],
    },
    isReferenceMade: true,
    verilog: null,
    making: makingOfModel(
      bytes,
      { stages, room: { ...room, cellsBesides: besides, board: board.name } },
      { planned, input: { width, integers: integerBits }, rows: words },
    ),
    core: corePortOf(planned, latencyCycles),
    ownMultipliers: false,
    taps: [],
    sections: [],
    vectors: words.map((row) => bytesOf(row, planned.input.width)),
    io,
    forecast: {
      resources: expectedResources({ lut, bramBlocks: 1, dsp: 0 }, board.part),
      latencyCycles,
      notes: [
        `The bits of its numbers are HGQ2's own: da4ml reads the model itself and makes adders of it, in ${stages} stages.`,
        `Inputs are words of ${width} bits, ${fraction} of them behind the point; scores have ${score.fraction} behind the point.`,
      ],
    },
  };
}

function wordsOf(
  io: ArtifactIo,
  { width, fraction }: { readonly width: number; readonly fraction: number },
): ArtifactIo {
  return {
    inputs: io.inputs.map((input) => ({ ...input, fixedPoint: { width, fraction, signed: true } })),
    outputs: io.outputs.map((output) => ({ ...output, fixedPoint: { ...score, signed: true } })),
  };
}

function edgesOf(
  { inputs, outputs }: ArtifactIo,
  { width, fraction }: { readonly width: number; readonly fraction: number },
): Pick<AdderProgram, "input" | "output"> {
  const sum = (tensors: readonly { readonly size: number }[]) =>
    tensors.reduce((total, { size }) => total + size, 0);
  return {
    input: {
      name: inputs[0]?.name ?? "",
      size: sum(inputs),
      width: 8 * Math.ceil(width / 8),
      fraction,
    },
    output: { name: outputs[0]?.name ?? "", size: sum(outputs), ...score },
  };
}

interface Matrix {
  readonly inputs: number;
  readonly outputs: number;
  /** How many rows pass it: pixels of a map, tokens. Each has adders of its own. */
  readonly rows: number;
}

/** Every matrix of the model. */
function matricesOf({ nodes, constants, shapes }: Graph): readonly Matrix[] {
  return nodes.flatMap(({ inputs: read, outputs: made }) => {
    const shape = read.map((name) => constants.get(name)?.shape).find((each) => each?.length === 2);
    const [inputs, outputs] = shape ?? [];
    if (inputs === undefined || outputs === undefined) return [];
    const values = shapes.get(made[0] ?? "")?.slice(1) ?? [];
    const rows = values.reduce((product, size) => product * size, 1) / outputs;
    return [{ inputs, outputs, rows }];
  });
}

/** Levels of every layer that there is, one behind the other. */
function levelsOf({ nodes }: Graph, matrices: readonly Matrix[]): number {
  const trees = matrices.map(({ inputs }) => Math.ceil(Math.log2(inputs * digitsPerWeight + 1)));
  const own = nodes.filter(({ domain }) => domain !== "").length;
  return trees.reduce((sum, tree) => sum + tree, levelsPerLayer * own);
}

/** Words that every level answers: extremes, each input alone, random ones, and rows that were given. */
function vectorsOf(
  { size, fraction }: AdderProgram["input"],
  { width, calibration }: { readonly width: number; readonly calibration: Rows | null },
): readonly (readonly number[])[] {
  const [low, high] = [-(2 ** (width - 1)), 2 ** (width - 1) - 1];
  const random = randomFrom(1);
  const filled = (word: number) => Array<number>(size).fill(word);
  const word = (real: number) => Math.min(high, Math.max(low, nearestStep(real, { fraction })));
  const given =
    calibration?.width === size
      ? Array.from({ length: Math.min(ownRows, calibration.count) }, (_, row) =>
          Array.from(calibration.values.subarray(row * size, (row + 1) * size), word),
        )
      : [];
  return [
    filled(0),
    filled(low),
    filled(high),
    ...Array.from({ length: size }, (_, at) => [
      filled(0).with(at, high),
      filled(0).with(at, low),
    ]).flat(),
    ...Array.from({ length: randomRows }, () =>
      Array.from({ length: size }, () => random.integer(low, high)),
    ),
    // Of a few units, as inputs usually are.
    ...Array.from({ length: randomRows }, () =>
      Array.from({ length: size }, () => word(8 * random.uniform() - 4)),
    ),
    ...given,
  ];
}

/** Words of a row, the low byte first. */
function bytesOf(words: readonly number[], width: number): Int8Array {
  const bytes = width / 8;
  return Int8Array.from(
    words.flatMap((word) => Array.from({ length: bytes }, (_, at) => word >> (8 * at))),
  );
}
