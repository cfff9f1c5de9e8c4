import type { useTranslations } from "next-intl";
import type { Board, BoardKind } from "@/lib/common/contract";

/** Where a revision is to be loaded: any board of a model and kind, or one by its id. */
export interface Place {
  readonly boardModel: string;
  readonly boardKind: BoardKind;
  /** Null: any of that model. */
  readonly boardId: string | null;
}

/**
 * What loading another revision means for callers: `made`, on a simulated board that is made for it, beside the one that
 * serves; `beside` it, in a place that is free; `turn`: replica by replica; `instead`: in its only place, so that none
 * answers meanwhile; `waits` for a place that another endpoint holds; `none`: there is no such board.
 */
export type Outlook = "made" | "beside" | "turn" | "instead" | "waits" | "none";

/** Foretells it from the boards as they are now, by the rules of the reconciler. */
export function outlookOf(name: string, place: Place, boards: readonly Board[]): Outlook {
  if (place.boardKind === "simulated") return "made";
  const slots = boards
    .filter(
      ({ id, boardModel, kind, state }) =>
        state !== "offline" &&
        (place.boardId === null
          ? boardModel === place.boardModel && kind === place.boardKind
          : id === place.boardId),
    )
    .flatMap((board) => board.slots);
  if (slots.length === 0) return "none";
  if (slots.some(({ state, endpointName }) => state === "empty" && endpointName === null))
    return "beside";
  if (!slots.every(({ endpointName }) => endpointName === name)) return "waits";
  return slots.length > 1 ? "turn" : "instead";
}

/** Which revisions an outlook is about, and where. */
export interface OutlookNames {
  /** Ordinal of the one that serves. */
  readonly serving: number;
  /** Ordinal of the one that is to serve; `new`: it has none yet. */
  readonly next: number | "new";
  /** What the board is called: `iCEBreaker (simulated)`. */
  readonly board: string;
}

/** The outlook as sentences for whoever is about to ask for it. */
export const outlookWords = (
  outlook: Outlook,
  names: OutlookNames,
  t: ReturnType<typeof useTranslations<"endpoints">>,
): string => t(`outlook.${outlook}`, { ...names });
