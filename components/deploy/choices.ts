import type { Board, BoardModelSummary, EngineSummary, Inspection } from "@/lib/common/contract";
import type { BoardChoice } from "./board-question";
import type { BoardPick, Draft } from "./draft";
import type { EngineChoice } from "./engine-question";

/** Engines in the order given. One that cannot take the model says why; one that only needs another board says which. */
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
      return {
        engine,
        refusal: verdict.message ?? verdict.reason ?? "cannot take this model",
        aside: null,
      };
    }
    const fits = board === null || goesWith(engine, board);
    return { engine, refusal: null, aside: fits ? null : `not on ${boardName}` };
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
  const asideFor = (pick: BoardPick) =>
    engine && !goesWith(engine, pick) ? `not with ${engine.id}` : null;
  const onDemand = models.flatMap((model) =>
    model.kinds
      .filter((kind) => kind !== "physical")
      .map((kind): BoardChoice => {
        const pick = { model: model.id, kind };
        const slots = boards
          .filter((board) => board.boardModel === model.id && board.kind === kind)
          .flatMap((board) => board.slots);
        const free = slots.filter(({ state }) => state === "empty").length;
        return {
          pick,
          name: model.name,
          note:
            kind === "simulated"
              ? noteOf(model)
              : slots.length > 0
                ? `${free} of ${slots.length} places free`
                : "this machine",
          refusal: null,
          aside: asideFor(pick),
        };
      }),
  );
  const physical = boards
    .filter(({ kind }) => kind === "physical")
    .map(({ id, boardModel, kind, loads, name, state, serverName }): BoardChoice => {
      const pick = { id, model: boardModel, kind, loads };
      const words = loads === "bondmachine" ? ["loads BondMachine’s firmware alone"] : [];
      return {
        pick,
        name,
        note: [state, serverName, ...words, ...doubtOf(models, boardModel)].join(", "),
        refusal: state === "offline" ? "its board server is silent" : null,
        aside: asideFor(pick),
      };
    })
    .toSorted((a, b) => Number(!a.note.startsWith("free")) - Number(!b.note.startsWith("free")));
  // Simulated boards take what most people come for; a physical one is chosen by name.
  const bySimulated = onDemand.toSorted(
    (a, b) => Number(a.pick.kind !== "simulated") - Number(b.pick.kind !== "simulated"),
  );
  return [...bySimulated, ...physical];
}

/** Whether an engine builds for a board, and makes what that board loads. */
export function goesWith(
  engine: Pick<EngineSummary, "boards" | "loads">,
  pick: BoardPick,
): boolean {
  const loads = "id" in pick ? pick.loads : undefined;
  return engine.boards.includes(pick.model) && engine.loads.includes(loads ?? "boardwalk");
}

const doubtOf = (models: readonly BoardModelSummary[], id: string): string[] =>
  models.some((model) => model.id === id && !model.verifiedOnHardware)
    ? ["not verified on hardware"]
    : [];

const noteOf = ({ bitstreamNeeds }: BoardModelSummary) =>
  bitstreamNeeds === null
    ? "simulated, made on demand"
    : `simulated now; bitstream needs ${bitstreamNeeds}`;

/** Engine and board that go with a model, until a person settles them: those of the draft if that engine takes it. */
export function targetFor(
  { settled, engine, board }: Pick<Draft, "settled" | "engine" | "board">,
  model: Inspection | undefined,
  { engines, boards }: { engines: readonly EngineChoice[]; boards: readonly BoardChoice[] },
): Pick<Draft, "engine" | "board"> {
  const kept = { engine, board };
  const refuses = engines.find((choice) => choice.engine.id === engine)?.refusal;
  const takes = engines.find(({ refusal }) => refusal === null);
  if (settled || !model || !refuses || !takes) return kept;
  const { boardModel, boardKinds: [kind] = [] } = model.firmware ?? {};
  return {
    engine: takes.engine.id,
    board:
      boardModel !== undefined && kind !== undefined && kind !== "physical"
        ? { model: boardModel, kind }
        : boardFor(takes.engine, board, boards),
  };
}

/** The board to go with an engine: the present one if it can stay, else the first that fits. */
export function boardFor(
  engine: EngineSummary,
  present: BoardPick | null,
  choices: readonly BoardChoice[],
): BoardPick | null {
  if (present && goesWith(engine, present)) return present;
  const fits = choices.find(({ pick, refusal }) => refusal === null && goesWith(engine, pick));
  return fits?.pick ?? present;
}

/** The engine to go with a board: the present one if it can stay, else the first that takes the model and builds for it. */
export function engineFor(
  board: BoardPick,
  present: string,
  choices: readonly EngineChoice[],
): string {
  const builds = ({ engine, refusal }: EngineChoice) => refusal === null && goesWith(engine, board);
  if (choices.some((choice) => choice.engine.id === present && builds(choice))) return present;
  return choices.find(builds)?.engine.id ?? present;
}
