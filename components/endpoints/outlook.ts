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

/**
 * The outlook as sentences for whoever is about to ask for it.
 *
 * @param board What the place is called: `iCEBreaker (simulated)`.
 */
export function outlookWords(
  outlook: Outlook,
  {
    serving,
    next,
    board,
  }: { readonly serving: string; readonly next: string; readonly board: string },
): string {
  switch (outlook) {
    case "made":
      return `${next} is loaded on a board of its own, ${board}, beside ${serving}, which answers until then. No request fails where the board server has room for one more.`;
    case "beside":
      return `${next} is loaded in a free place of ${board}, beside ${serving}, which answers until then. No request fails.`;
    case "turn":
      return `${board} has no free place: ${serving} gives up its places one by one. No request fails, but fewer replicas answer meanwhile.`;
    case "instead":
      return `${board} has one place, which ${serving} holds: it is unloaded first. Requests get 503 until ${next} serves, and ${serving} is loaded again if that fails.`;
    case "waits":
      return `Every place of ${board} is taken, some by other endpoints: ${next} waits for one. ${serving} answers meanwhile; no request fails.`;
    case "none":
      return `No ${board} answers now: ${next} waits for one. ${serving} answers meanwhile; no request fails.`;
  }
}
