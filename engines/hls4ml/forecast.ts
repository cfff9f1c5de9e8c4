import type { BoardModel } from "@/boards";
import {
  type Forecast,
  forecastOn,
  lackingOf,
  largerBoards,
  usableCells,
} from "@/compiler/forecast";
import type { Outline } from "@/lib/common/contract";
import type { EngineForecast, FormOptions } from "../engine-forecast";
import { adderOutlineSchema } from "./open/adder-outline";
import { adderClockShare, estimateAdders } from "./open/estimate";
import { latencyOf } from "./open/latency";

/** Precisions by the cells that they take, the most first. */
const finestFirst: readonly string[] = ["exact-ish", "balanced", "smallest", "fastest"];
const usual = { precision: "exact-ish", levels: 2 } as const;
/** Of cells: what da4ml shares, and how tools map it. */
const errors = { cells: 0.25, cycles: 0 } as const;

/** What a network comes to as adders by da4ml, by the estimate of the plan. Runs in browsers. */
export const adderForecast: EngineForecast = {
  forecast: forecastAdders,
  candidates: (options, board) => [
    {
      most: 1,
      fits: finestFirst.slice(finestFirst.indexOf(precisionOf(options)) + 1).map((precision) => ({
        title: `Numbers: ${precision}`,
        options: { ...options, precision },
      })),
    },
    {
      most: 2,
      fits: largerBoards(board).map(({ id, name }) => ({
        title: `On ${name}`,
        options,
        board: id,
      })),
    },
  ],
};

const precisionOf = ({ precision }: FormOptions): string =>
  typeof precision === "string" ? precision : usual.precision;

function forecastAdders(outline: Outline, board: BoardModel, options: FormOptions): Forecast {
  const { precisions } = adderOutlineSchema.parse(outline.cores["adders"]);
  const count = precisions[precisionOf(options)] ?? precisions[usual.precision];
  if (!count) throw new RangeError("An outline has counts for every precision.");
  const { levels, clockHz } = options;
  const between = typeof levels === "number" && levels >= 1 ? levels : usual.levels;
  const { lut, ff, stages } = estimateAdders(count, board, between);
  const { resources } = board.part;
  const lacking = [
    lackingOf("lut", lut, Math.floor(resources.lut * usableCells)),
    lackingOf("ff", ff, Math.floor(resources.ff * usableCells)),
  ].filter(({ needed, available }) => needed > available);
  if (lacking.length > 0) {
    const needs = lacking.map(
      ({ name, needed, available }) =>
        `about ${needed} ${name.toLowerCase()} of ${available} usable`,
    );
    return { fits: false, lack: `needs ${needs.join(" and ")}`, lacking, nearest: null };
  }
  return forecastOn(
    board,
    {
      architecture: "adders",
      lanes: null,
      form: `${stages} stages of adders`,
      resources: { lut, flipFlops: ff, bramBlocks: 1, dsp: 0 },
      latencyCycles: latencyOf(stages),
      errors,
      ownMultipliers: false,
      clockShare: adderClockShare,
      inputBytes: outline.inputBytes,
      outputBytes: outline.outputBytes,
    },
    board.standardClocksHz.find((hz) => hz === clockHz),
  );
}
