import { findBoardModel, whyNoBlink } from "@/boards";
import type { BoardKind, BoardRefusals, Loads, SlotState } from "@/lib/common/contract";
import { type AppError, fail, toErrorData } from "@/lib/common/errors";

/** What decides which things can be asked of a board. */
export interface BoardFacts {
  readonly name: string;
  readonly boardModel: string;
  readonly kind: BoardKind;
  readonly loads: Loads;
  readonly isRemoved: boolean;
  readonly isSilent: boolean;
  /** What its board server calls itself; null: it is of before it took tasks. */
  readonly version: string | null;
  readonly slots: readonly { readonly state: SlotState; readonly isWanted: boolean }[];
}

/** What can be asked of a board. */
export type BoardAction = keyof BoardRefusals;

const gone = ({ name }: BoardFacts): AppError =>
  fail("STATE_CONFLICT", `${name} is no longer here.`, {
    hint: "Simulated boards go with their endpoint; others come back when their board server offers them.",
  });

const unheard = ({ name }: BoardFacts): AppError =>
  fail("BOARD_OFFLINE", `The board server of ${name} has not been heard for a while.`, {
    hint: "See on its host whether it runs and reaches the portal.",
  });

const empty = (message: string, hint: string): AppError =>
  fail("STATE_CONFLICT", message, { hint });

/** Why an action is refused now; null: it is not. */
export function whyNot(action: BoardAction, facts: BoardFacts): AppError | null {
  if (facts.isRemoved) return gone(facts);
  if (action === "drain" || action === "resume") return null;
  const never = action === "blink" ? whyNeverBlinks(facts) : null;
  if (never) return never;
  if (facts.isSilent) return unheard(facts);
  if (action === "reload")
    return facts.slots.some(({ isWanted }) => isWanted)
      ? null
      : empty(`Nothing is loaded on ${facts.name}.`, "Deploy something on it first.");
  if (facts.version === null)
    return fail(
      "BOARD_CANNOT",
      `The board server of ${facts.name} is of a version that takes no tasks.`,
      {
        hint: "Start it again from the sources that the portal runs from.",
      },
    );
  if (facts.slots.some(({ state }) => state === "serving")) return null;
  return action === "blink"
    ? empty(
        `Nothing serves on ${facts.name}: no design drives its LEDs.`,
        "Deploy something on it first, or wait until it serves.",
      )
    : empty(
        `Nothing serves on ${facts.name} that could be tested.`,
        "Each load ends with the same test: deploy something on it, or load it again.",
      );
}

function whyNeverBlinks({ name, kind, loads, boardModel }: BoardFacts): AppError | null {
  if (kind === "cpu") return fail("BOARD_CANNOT", `${name} is a CPU: it has no LED of its own.`);
  if (loads === "bondmachine")
    return fail("BOARD_CANNOT", `${name} is at an address, whose contract has no word for it.`);
  if (kind === "simulated") return null;
  const model = findBoardModel(boardModel);
  const why = model ? whyNoBlink(model) : null;
  return why === null
    ? null
    : fail("BOARD_CANNOT", why, {
        hint: "Tell the boards apart by their serial numbers, or unplug one and see which goes offline.",
      });
}

/** All of them, for a page that offers only what will be done. */
export function refusalsOf(facts: BoardFacts): BoardRefusals {
  const problemOf = (action: BoardAction) => {
    const error = whyNot(action, facts);
    if (!error) return null;
    const { reason, message, hint } = toErrorData(error);
    return { reason, message, ...(hint ? { hint } : {}) };
  };
  return {
    drain: problemOf("drain"),
    resume: problemOf("resume"),
    reload: problemOf("reload"),
    selfTest: problemOf("selfTest"),
    blink: problemOf("blink"),
  };
}
