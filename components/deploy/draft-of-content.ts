import type { EngineSummary, RecipeContent } from "@/lib/common/contract";
import type { BoardChoice } from "./choices";
import { boardOf, bodyOf, type Draft } from "./draft";
import { featureDrafts } from "./feature-draft";
import { presetOn } from "./presets";
import { rangeDraftOf } from "./range-draft";

/** What of a form is kept besides what is always kept. */
export interface Kept {
  /** The model, and what was said of it: its range, its rows, its features. */
  readonly model: boolean;
  readonly board: boolean;
}

/** The choices of a form as a recipe or a file holds them; questions without an answer are left out. */
export function contentOf(draft: Draft, kept: Kept = { model: true, board: true }): RecipeContent {
  const { engine, model, inputRange, calibration, features, options, serving } = bodyOf(draft);
  const board = kept.board ? boardOf(draft) : null;
  return {
    ...(engine === "" ? {} : { engine }),
    ...(draft.preset === null ? {} : { preset: draft.preset }),
    ...(options ? { options } : {}),
    ...(serving ? { serving } : {}),
    ...(board ? { board } : {}),
    ...(kept.model
      ? {
          ...(model.url === "" ? {} : { model }),
          ...(inputRange ? { inputRange } : {}),
          ...(calibration ? { calibration } : {}),
          ...(features ? { features } : {}),
        }
      : {}),
  };
}

/** What the form can make of choices, and what of them is there no more. */
export interface TakenContent {
  readonly part: Partial<Draft>;
  readonly missing: "board" | null;
}

/** The answers that choices give; questions of which they say nothing keep theirs. */
export function draftOfContent(
  content: RecipeContent,
  {
    boards,
    engines,
    understood,
  }: {
    readonly boards: readonly Pick<BoardChoice, "pick">[];
    readonly engines: readonly EngineSummary[];
    /** What its rows were understood as, which only its own form knew. */
    readonly understood: string;
  },
): TakenContent {
  const { engine, preset, options, board, model, inputRange, calibration, serving, features } =
    content;
  const pick = board && pickOf(board, boards);
  const summary = engines.find(({ id }) => id === engine);
  return {
    missing: pick === null ? "board" : null,
    part: {
      ...(engine === undefined ? {} : { engine, settled: true }),
      // A preset alone is filled in; beside options it only says where those come from.
      ...(options === undefined
        ? engine === undefined && preset === undefined
          ? {}
          : presetOn(preset ?? "usual", summary)
        : { options, preset: preset ?? null }),
      ...(pick ? { board: pick, settled: true } : {}),
      ...(model === undefined ? {} : { url: model.url, pinned: model }),
      ...(inputRange === undefined ? {} : { range: rangeDraftOf(inputRange) }),
      ...(calibration === undefined
        ? {}
        : {
            calibration: {
              url: calibration.url,
              name: calibration.name ?? calibration.url,
              understood,
              inputs: null,
            },
          }),
      ...(serving === undefined ? {} : { serving }),
      ...(features === undefined ? {} : { features: featureDrafts(features) }),
    },
  };
}

function pickOf(
  board: NonNullable<RecipeContent["board"]>,
  boards: readonly Pick<BoardChoice, "pick">[],
): Draft["board"] {
  if (!("id" in board)) return board;
  return boards.find(({ pick }) => "id" in pick && pick.id === board.id)?.pick ?? null;
}
