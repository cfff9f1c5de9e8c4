import type { Board, BoardModelSummary, EngineSummary, Inspection } from "@/lib/common/contract";
import type { BoardPick, Draft } from "./draft";
import type { EngineChoice } from "./engine-question";

/** Why an engine and a board do not go together. */
export type Mismatch =
  /** The engine makes what CPUs run. */
  | "cpuEngine"
  /** The engine makes firmware, which a CPU does not run. */
  | "cpuBoard"
  /** The board loads the firmware of BondMachine's original system only, or the engine makes that only. */
  | "loads"
  /** The engine has no way to build for this model of board. */
  | "noFlow";

/** A board to choose, with what is known of it before a model is. */
export interface BoardChoice {
  readonly pick: BoardPick;
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly part: string;
  /** `free` now; `busy`: its places are taken; `drained`: it takes nothing new; `offline`: its board server does not answer. */
  readonly availability: "free" | "busy" | "drained" | "offline";
  /** Of a CPU or a real board: how many of its places are free. Null: it is made when it is needed. */
  readonly places: { readonly free: number; readonly all: number } | null;
  /** The board server of a real board. */
  readonly serverName: string | null;
  /** Endpoints that hold its places. */
  readonly endpoints: readonly string[];
  /** Whether it loads the firmware of BondMachine's original system only. */
  readonly loadsBondOnly: boolean;
  /** The vendor's tool that a bitstream for it needs; null where open tools do. */
  readonly bitstreamNeeds: string | null;
  /** Whether somebody has served a model from a real one. */
  readonly isVerified: boolean;
  /** Why the chosen engine cannot build for it; null where it can. */
  readonly mismatch: Mismatch | null;
}

/** Engines in the order given. One that cannot take the model says why; one that needs another board says so. */
export function engineChoices({
  engines,
  model,
  board,
  cannotTake = "",
}: {
  engines: readonly EngineSummary[];
  model: Inspection | undefined;
  board: BoardPick | null;
  /** Said of an engine that refuses without a word. */
  cannotTake?: string;
}): readonly EngineChoice[] {
  return engines.map((engine) => {
    const verdict = model?.engines.find(({ id }) => id === engine.id);
    if (verdict && !verdict.ok) {
      return {
        engine,
        refusal: verdict.message ?? verdict.reason ?? cannotTake,
        changesBoard: false,
      };
    }
    return { engine, refusal: null, changesBoard: board !== null && !goesWith(engine, board) };
  });
}

/** All boards that can be had: simulated ones, which are made on demand, CPUs, and real ones one by one. */
export function boardChoices({
  models,
  boards,
  engine,
}: {
  models: readonly BoardModelSummary[];
  boards: readonly Board[];
  engine: EngineSummary | undefined;
}): readonly BoardChoice[] {
  const onDemand = models.flatMap((model) =>
    model.kinds
      .filter((kind) => kind !== "physical")
      .map((kind): BoardChoice => {
        const pick = { model: model.id, kind };
        const slots = boards
          .filter((board) => board.boardModel === model.id && board.kind === kind)
          .filter(({ drain }) => drain === undefined)
          .flatMap((board) => board.slots);
        const isDrained =
          kind !== "simulated" &&
          slots.length === 0 &&
          boards.some((board) => board.boardModel === model.id && board.drain !== undefined);
        const places = kind === "simulated" || slots.length === 0 ? null : placesOf(slots);
        return {
          ...factsOf(model),
          pick,
          name: model.name,
          availability: isDrained ? "drained" : places?.free === 0 ? "busy" : "free",
          places,
          serverName: null,
          endpoints: [],
          loadsBondOnly: false,
          mismatch: engine ? mismatchOf(engine, pick) : null,
        };
      }),
  );
  const real = boards
    .filter(({ kind }) => kind === "physical")
    .flatMap((board): BoardChoice[] => {
      const model = models.find(({ id }) => id === board.boardModel);
      return model ? [realChoice(board, model, engine)] : [];
    });
  // Simulated boards take what most people come for; a real one is chosen by name.
  const bySimulated = onDemand.toSorted(
    (a, b) => Number(a.pick.kind !== "simulated") - Number(b.pick.kind !== "simulated"),
  );
  return [...bySimulated, ...real];
}

function realChoice(
  { id, boardModel, kind, loads, name, state, serverName, slots, drain }: Board,
  model: BoardModelSummary,
  engine: EngineSummary | undefined,
): BoardChoice {
  const pick = { id, model: boardModel, kind, loads };
  const places = placesOf(slots);
  const isTaken = state !== "free" && places.free === 0;
  return {
    ...factsOf(model),
    pick,
    name,
    availability: state === "offline" ? "offline" : drain ? "drained" : isTaken ? "busy" : "free",
    places,
    serverName,
    endpoints: slots.flatMap(({ endpointName }) => endpointName ?? []),
    loadsBondOnly: loads === "bondmachine",
    mismatch: engine ? mismatchOf(engine, pick) : null,
  };
}

const factsOf = ({
  vendor,
  family,
  part,
  bitstreamNeeds,
  verifiedOnHardware,
}: BoardModelSummary) => ({
  vendor,
  family,
  part,
  bitstreamNeeds,
  isVerified: verifiedOnHardware,
});

const placesOf = (slots: Board["slots"]) => ({
  free: slots.filter(({ state }) => state === "empty").length,
  all: slots.length,
});

/** Why an engine does not build for a board, or makes what that board does not load; null where it does. */
function mismatchOf(
  engine: Pick<EngineSummary, "boards" | "loads" | "kind">,
  pick: BoardPick,
): Mismatch | null {
  if (goesWith(engine, pick)) return null;
  if (engine.boards.includes(pick.model)) return "loads";
  if (pick.kind === "cpu") return "cpuBoard";
  return engine.kind === "cpu" ? "cpuEngine" : "noFlow";
}

/** Whether an engine builds for a board, and makes what that board loads. */
export function goesWith(
  engine: Pick<EngineSummary, "boards" | "loads">,
  pick: BoardPick,
): boolean {
  const loads = "id" in pick ? pick.loads : undefined;
  return engine.boards.includes(pick.model) && engine.loads.includes(loads ?? "boardwalk");
}

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
  const fits = choices.find(
    ({ pick, availability }) =>
      availability !== "offline" && availability !== "drained" && goesWith(engine, pick),
  );
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
