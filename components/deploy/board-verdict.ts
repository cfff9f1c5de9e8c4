import type { BoardFit } from "@/engines/forecast";
import type { BuiltBoards } from "@/lib/common/contract";
import type { BoardChoice } from "./choices";
import { type BoardPick, keyOfPick } from "./draft";

/** What is to be said of a board for the model, the engine and the options that are chosen. */
export type BoardVerdict =
  | { readonly kind: "built"; readonly seconds: number | null }
  /** `share` of its logic cells, 0 to 1. */
  | { readonly kind: "fits"; readonly share: number }
  /** `share`: needed of available, above 1; null where an option alone stands against it. */
  | {
      readonly kind: "lacks";
      readonly share: number | null;
      readonly lack: string;
      /** Whether no error of the estimate could make it fit. */
      readonly isSure: boolean;
    }
  | { readonly kind: "mismatch"; readonly engine: string | null };

/** Whether its card says that choosing it leads nowhere as things stand. */
export const isAgainst = (verdict: BoardVerdict | undefined): boolean =>
  verdict?.kind === "lacks" || verdict?.kind === "mismatch";

/** The verdict of each board, by its key; a board of which nothing is known has none. */
export function boardVerdicts(
  choices: readonly BoardChoice[],
  known: {
    /** By model of board; null of one that has no forecast. */
    readonly fits: ReadonlyMap<string, BoardFit | null>;
    readonly built: BuiltBoards | null;
    /** The engine that would be taken with a board that the chosen one does not build for. */
    readonly engineWith: (pick: BoardPick) => string | null;
  },
): ReadonlyMap<string, BoardVerdict> {
  return new Map(
    choices.flatMap((choice): [string, BoardVerdict][] => {
      const verdict = verdictOf(choice, known);
      return verdict ? [[keyOfPick(choice.pick), verdict]] : [];
    }),
  );
}

function verdictOf(
  { pick, mismatch }: BoardChoice,
  { fits, built, engineWith }: Parameters<typeof boardVerdicts>[1],
): BoardVerdict | null {
  if (mismatch !== null) return { kind: "mismatch", engine: engineWith(pick) };
  const { model, kind } = pick;
  if (built?.items.some(({ boardModel, boardKind }) => boardModel === model && boardKind === kind))
    return { kind: "built", seconds: built.reuseSeconds };
  const fit = fits.get(model);
  if (!fit) return null;
  return fit.fits
    ? { kind: "fits", share: fit.share }
    : { kind: "lacks", share: fit.share, lack: fit.guess.lack, isSure: fit.isSure };
}

/** How the list of boards is cut down. */
export interface BoardFilter {
  readonly text: string;
  /** Boards alone that speak for themselves: their verdict is not against them. */
  readonly fitting: boolean;
  /** Whether all that match are shown, or as many as a glance takes in. */
  readonly all: boolean;
}

/** So many boards are shown before all are asked for. */
export const glance = 6;

const ranks = { free: 0, busy: 1, drained: 2, offline: 3 } as const;

/** Boards in the order in which they can be had: free now, then those whose places are taken, then those out of reach. */
export const byAvailability = (choices: readonly BoardChoice[]): readonly BoardChoice[] =>
  choices.toSorted(
    (a, b) => ranks[a.availability] - ranks[b.availability] || firstWithin(a) - firstWithin(b),
  );

/** Among boards that are free alike: real ones, then CPUs, then simulated ones. */
const firstWithin = ({ pick }: BoardChoice) => ({ physical: 0, cpu: 1, simulated: 2 })[pick.kind];

/**
 * The boards that the grid shows, in their order, and how many match. At a glance: the chosen one, CPUs, real boards, and of
 * the simulated ones those first that nothing speaks against. What was shown keeps its place, so that focus stays where it is.
 */
export function shownBoards(
  choices: readonly BoardChoice[],
  {
    filter: { text, fitting, all },
    verdicts,
    chosen,
  }: {
    filter: BoardFilter;
    verdicts: ReadonlyMap<string, BoardVerdict>;
    /** The key of the chosen one. */
    chosen: string | null;
  },
): { readonly shown: readonly BoardChoice[]; readonly matching: number } {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isFor = (choice: BoardChoice) => !isAgainst(verdicts.get(keyOfPick(choice.pick)));
  const matching = byAvailability(choices).filter(
    (choice) => words.every((word) => textOf(choice).includes(word)) && (!fitting || isFor(choice)),
  );
  if (all || words.length > 0) return { shown: matching, matching: matching.length };
  const isFirst = (choice: BoardChoice) =>
    choice.pick.kind !== "simulated" || keyOfPick(choice.pick) === chosen;
  const room = Math.max(2, glance - matching.filter(isFirst).length);
  const others = matching
    .filter((choice) => !isFirst(choice))
    .toSorted((a, b) => Number(isFor(b)) - Number(isFor(a)))
    .slice(0, room);
  const shown = matching.filter((choice) => isFirst(choice) || others.includes(choice));
  return { shown, matching: matching.length };
}

const textOf = ({ name, vendor, family, part, pick }: BoardChoice) =>
  `${name} ${vendor} ${family} ${part} ${pick.kind}`.toLowerCase();
