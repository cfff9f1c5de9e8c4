import type { BoardModel } from "@/boards";
import { type Forecast, forecastOn, largerBoards } from "@/compiler/forecast";
import type { Outline } from "@/lib/common/contract";
import { hasKey } from "@/lib/common/records";
import type { EngineForecast, FormOptions } from "../engine-forecast";
import { type NumberTypeId, numberTypeOf, numberTypes } from "../reference/number-type";
import { errorsOf, estimateMachine, lackOf, machineClockShare } from "./estimate";
import { type MachineOutline, machineOutlineSchema, sizesAt } from "./machine-outline";

/** What a network comes to as a machine, by the very estimate that a build's plan refuses by. Runs in browsers. */
export const machineForecast: EngineForecast = {
  forecast: (outline, board, options) => forecastMachine(parse(outline), board, options),
  candidates: (options, board) => [
    {
      most: 1,
      fits: ["fps16f8"]
        .filter((type) => options["dataType"] !== type)
        .map((dataType) => ({
          title: `Numbers of ${dataType}`,
          options: { ...options, dataType },
        })),
    },
    {
      most: 1,
      fits: [0.05, 0.1, 0.2]
        .filter((prune) => prune > pruneOf(options))
        .map((prune) => ({ title: `Prune below ${prune}`, options: { ...options, prune } })),
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

const known = new WeakMap<Outline, MachineOutline>();

/** An outline is parsed once, however often somebody types. */
function parse(outline: Outline): MachineOutline {
  const before = known.get(outline);
  if (before) return before;
  const machine = machineOutlineSchema.parse(outline.cores["machine"]);
  known.set(outline, machine);
  return machine;
}

const pruneOf = ({ prune }: FormOptions): number => (typeof prune === "number" ? prune : 0);

const typeIds: Readonly<Record<string, NumberTypeId>> = Object.fromEntries(
  numberTypes.map((id) => [id, id]),
);

function forecastMachine(
  outline: MachineOutline,
  board: BoardModel,
  options: FormOptions,
): Forecast {
  const { dataType, clockHz } = options;
  const named =
    typeof dataType === "string" && hasKey(typeIds, dataType) ? typeIds[dataType] : null;
  const type = numberTypeOf(named ?? outline.usual);
  const sizes = sizesAt(outline, type.float !== null, pruneOf(options));
  const { lack, lacking } = lackOf(sizes, type.id, board);
  if (lacking.length > 0) return { fits: false, lack, lacking, nearest: null };
  const { lut, ff, bramBlocks, dsp, latencyCycles, multipliesInCells } = estimateMachine(
    sizes,
    type.id,
    board,
  );
  const processors = sizes.layers.reduce((total, layer) => total + layer.processors, 0);
  const bytes = type.width / 8;
  return forecastOn(
    board,
    {
      architecture: "machine",
      lanes: null,
      form: `${processors} ${processors === 1 ? "processor" : "processors"} of ${type.id}`,
      resources: { lut, flipFlops: ff, bramBlocks, dsp },
      latencyCycles,
      errors: errorsOf(type.id),
      ownMultipliers: multipliesInCells,
      clockShare: machineClockShare,
      inputBytes: sizes.inputs * bytes,
      outputBytes: sizes.outputs * bytes,
    },
    board.standardClocksHz.find((hz) => hz === clockHz),
  );
}
