import { z } from "zod";
import type { BoardModel } from "@/boards";
import { type Forecast, forecastOn, largerBoards } from "@/compiler/forecast";
import type { Outline } from "@/lib/common/contract";
import { toAppError } from "@/lib/common/errors";
import { hasKey } from "@/lib/common/records";
import type { EngineForecast, FormOptions } from "../engine-forecast";
import { type NumberTypeId, numberTypeOf, numberTypes } from "../reference/number-type";
import { errorsOf, estimateMachine, lackOf, machineClockShare } from "./estimate";
import { formOf, processorsIn } from "./form-of";
import { type MachineOutline, machineOutlineSchema, sizesAt } from "./machine-outline";
import { optionsSchema } from "./options";
import { checkSoftmaxOptions } from "./softmax-options";
import { softmaxType, termsFor } from "./softmax-reach";
import { softmaxWarning } from "./softmax-text";

/** What a network comes to as a machine, by the very estimate that a build's plan refuses by. Runs in browsers. */
export const machineForecast: EngineForecast = {
  forecast: (outline, board, options) => forecastMachine(parse(outline), board, options),
  candidates: (options, board) => [
    {
      most: 1,
      fits:
        options["softmax"] === "hardware"
          ? [{ title: "Softmax by the host", options: hostSoftmax(options) }]
          : [],
    },
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

const hostSoftmax = ({ softmax: _, expprec: __, ...options }: FormOptions): FormOptions => options;

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
  const form = formOf(options);
  // neuralbond's ReLU takes no words of 16 bits: a build tries those of 32 first.
  const needs32 = form !== "direct" && outline.fixed.some(({ relu }) => relu);
  const usual = needs32 && numberTypeOf(outline.usual).width < 32 ? "fps32f16" : outline.usual;
  const softmax = softmaxIn(outline, options);
  if (typeof softmax === "string")
    return { fits: false, lack: softmax, lacking: [], nearest: null };
  const { terms: softmaxTerms, warning } = softmax;
  const type = numberTypeOf(softmaxTerms === undefined ? (named ?? usual) : softmaxType);
  if (needs32 && type.width < 32) {
    const lack = `cannot be: neuralbond's ReLU needs numbers of 32 bits, not ${type.id}`;
    return { fits: false, lack, lacking: [], nearest: null };
  }
  const isFloat = type.float !== null;
  const sizes = sizesAt(outline, {
    ...{ isFloat, form, softmaxTerms },
    prune: pruneOf(options),
  });
  const { lack, lacking } = lackOf(sizes, type.id, board);
  if (lacking.length > 0) return { fits: false, lack, lacking, nearest: null };
  const { lut, ff, bramBlocks, dsp, latencyCycles, multipliesInCells } = estimateMachine(
    sizes,
    type.id,
    board,
  );
  const processors = processorsIn(sizes);
  const bytes = type.width / 8;
  const forecast = forecastOn(
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
  return warning === null ? forecast : { ...forecast, warning };
}

/** Where another option is none, its control says so. */
const softmaxOptionsSchema = z.object({
  ...{ softmax: optionsSchema.shape.softmax, expprec: optionsSchema.shape.expprec },
  ...{ flow: optionsSchema.shape.flow, dataType: optionsSchema.shape.dataType },
});

/** The terms of a softmax in hardware, if it is asked for, and what is to be said of them; or why it cannot be. */
function softmaxIn(
  { softmax: scores }: MachineOutline,
  options: FormOptions,
): { readonly terms?: number; readonly warning: string | null } | string {
  const parsed = softmaxOptionsSchema.safeParse(options);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `cannot be: ${issue?.path.join(".")}: ${issue?.message}`;
  }
  try {
    checkSoftmaxOptions(parsed.data);
  } catch (error) {
    return `cannot be: ${withoutStop(toAppError(error).message)}`;
  }
  const { softmax, expprec } = parsed.data;
  if (softmax === "host") return { warning: null };
  if (typeof scores === "string") return `cannot be: ${withoutStop(scores)}`;
  const terms = expprec ?? termsFor(scores);
  return { terms, warning: softmaxWarning(terms, scores) };
}

/** The sentence goes on. */
const withoutStop = (sentence: string): string => sentence.replace(/[.]$/, "");
