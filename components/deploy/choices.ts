import type { Board, BoardModelSummary, EngineSummary, Inspection } from "@/lib/common/contract";
import type { BoardChoice } from "./board-question";
import type { BoardPick } from "./draft";
import type { EngineChoice } from "./engine-question";

/** Engines in the order given; one that cannot take the model or the board says why. */
export function engineChoices({
  engines,
  model,
  board,
  boardName,
}: {
  engines: readonly EngineSummary[];
  model: Inspection | undefined;
  board: BoardPick | null;
  boardName: string;
}): readonly EngineChoice[] {
  return engines.map((engine) => {
    const verdict = model?.engines.find(({ id }) => id === engine.id);
    if (verdict && !verdict.ok) {
      return { engine, refusal: verdict.message ?? verdict.reason ?? "cannot take this model" };
    }
    if (board && !engine.boards.includes(board.model)) {
      return { engine, refusal: `does not build for ${boardName}` };
    }
    return { engine, refusal: null };
  });
}

/** Boards that some engine here builds for: simulated and CPU ones on demand, physical ones one by one, free ones first. */
export function boardChoices({
  models,
  boards,
  engine,
}: {
  models: readonly BoardModelSummary[];
  boards: readonly Board[];
  engine: EngineSummary | undefined;
}): readonly BoardChoice[] {
  const refusalFor = (model: string) =>
    engine && !engine.boards.includes(model) ? `${engine.id} does not build for it` : null;
  const onDemand = models
    .filter(({ noFlow }) => noFlow === null)
    .flatMap((model) =>
      model.kinds
        .filter((kind) => kind !== "physical")
        .map((kind): BoardChoice => {
          const slots = boards
            .filter((board) => board.boardModel === model.id && board.kind === kind)
            .flatMap((board) => board.slots);
          const free = slots.filter(({ state }) => state === "empty").length;
          return {
            pick: { model: model.id, kind },
            name: model.name,
            note:
              kind === "simulated"
                ? "simulated, made on demand"
                : slots.length > 0
                  ? `${free} of ${slots.length} places free`
                  : "this machine",
            refusal: refusalFor(model.id),
          };
        }),
    );
  const physical = boards
    .filter(({ kind }) => kind === "physical")
    .map(
      (board): BoardChoice => ({
        pick: { id: board.id, model: board.boardModel, kind: board.kind },
        name: board.name,
        note: `${board.state}, ${board.serverName}`,
        refusal:
          board.state === "offline" ? "its board server is silent" : refusalFor(board.boardModel),
      }),
    )
    .toSorted((a, b) => Number(!a.note.startsWith("free")) - Number(!b.note.startsWith("free")));
  return [...onDemand, ...physical].toSorted(
    (a, b) => Number(a.refusal !== null) - Number(b.refusal !== null),
  );
}
