import { countBondOutputs, type RowForm, writeBondInputs } from "@/lib/common/bond";
import { type AttachedBoard, type TrialStep, trialStepNames } from "@/lib/common/contract";
import { fail, isAppError, toAppError } from "@/lib/common/errors";
import { BondBoard, type BondLimits } from "./bond-board";

/** Steps of a trial that has not begun. */
export const waitingSteps = (): TrialStep[] =>
  trialStepNames.map((name) => ({ name, state: "waiting" }));

/**
 * Tries a board by one load and one prediction.
 *
 * @param onStep Told of all steps whenever one of them changes; the last word is also what comes back.
 */
export async function tryBoard(
  { address, trial }: Pick<AttachedBoard, "address" | "trial">,
  {
    limits,
    signal,
    onStep,
  }: {
    readonly limits: BondLimits;
    readonly signal: AbortSignal;
    readonly onStep: (steps: TrialStep[]) => void;
  },
): Promise<TrialStep[]> {
  const board = new BondBoard(address, limits);
  const actions: Record<TrialStep["name"], () => Promise<string>> = {
    connect: async () => {
      await board.reach();
      return `${address} answers as a board of BondMachine's original system.`;
    },
    load: async () => {
      await board.load({ name: trial.bitstream, arch: trial.arch });
      return `${trial.bitstream} is loaded, for ${trial.arch}.`;
    },
    predict: async () => await predictOnce(board, trial.inputs),
  };
  const steps = waitingSteps();
  const leave = () => board.close();
  signal.addEventListener("abort", leave);
  try {
    for (const [at, { name }] of steps.entries()) {
      steps[at] = { name, state: "running" };
      onStep([...steps]);
      steps[at] = await outcomeOf(name, actions[name]);
      onStep([...steps]);
      if (steps[at]?.state === "failed") break;
    }
  } finally {
    signal.removeEventListener("abort", leave);
    board.close();
  }
  return steps;
}

async function outcomeOf(
  name: TrialStep["name"],
  action: () => Promise<string>,
): Promise<TrialStep> {
  const began = performance.now();
  const durationMs = () => Math.round(performance.now() - began);
  try {
    const message = await action();
    return { name, state: "succeeded", message, durationMs: durationMs() };
  } catch (error) {
    const { message, reason, hint } = toAppError(error);
    const words = { message: message.slice(0, 600), reason, ...(hint ? { hint } : {}) };
    return { name, state: "failed", ...words, durationMs: durationMs() };
  }
}

/** A row of zeros, with brackets of its own, and where the board does not take that, without. */
async function predictOnce(board: BondBoard, inputs: number): Promise<string> {
  const row = Array.from({ length: inputs }, () => 0);
  const ask = async (form: RowForm) =>
    countBondOutputs(await board.predict(writeBondInputs([row], form)));
  const { form, count } = await ask("nested").then(
    (found) => ({ form: "nested", count: found }),
    async (error: unknown) => {
      if (!isAppError(error) || error.reason !== "DEVICE_FAILED") throw error;
      // What it says to the usual form tells more, if it takes neither.
      return { form: "flat", count: await ask("flat").catch(() => Promise.reject(error)) };
    },
  );
  if (count === 0) {
    throw fail("UPSTREAM_MISMATCH", `${board.address} answers no probabilities.`, {
      hint: "The original does so when the architecture is not its own: zynq or alveo.",
    });
  }
  const way = form === "flat" ? "one row at a time" : "in batches";
  return `A row of ${inputs} zeros is answered by ${count} numbers; it takes rows ${way}.`;
}
