import { type BoardModel, findBoardModel } from "@/boards";
import { checkModelUrl } from "@/domain/models";
import type { ModelSources } from "@/domain/sources";
import { type Engine, getEngine, loadsOf } from "@/engines";
import {
  type BoardKind,
  boardKindSchema,
  idPrefixes,
  type Loads,
  loadsSchema,
  type NewRevision,
  namePattern,
  takenByProtocol,
} from "@/lib/common/contract";
import { type AppError, fail, fromErrorData } from "@/lib/common/errors";
import { database, parseId } from "@/lib/server/db";
import type { CheckedRevision } from "./types";

/** @throws {AppError} `NAME_INVALID` */
export function checkName(name: string): void {
  if (!namePattern.test(name))
    throw fail("NAME_INVALID", "A name is 1 to 63 lower-case letters, digits and hyphens.", {
      field: "name",
      hint: "Begin with a letter and end with a letter or digit: digits-mlp-2.",
    });
  if (name === takenByProtocol)
    throw fail("NAME_INVALID", `No endpoint can be called “${name}”.`, {
      field: "name",
      hint: "Clients that ask /v2/models/stats want the statistics of all endpoints. Choose another name.",
    });
}

/**
 * Finds out whether a revision's choices exist and go together, before anything is written.
 *
 * @throws {AppError} The first of `ENGINE_UNKNOWN`, `BOARD_UNKNOWN`, `NO_BOARD_FREE`, `COMBINATION_UNSUPPORTED`,
 *   `OPTION_INVALID`, `URL_NOT_ALLOWED` that holds, with its field.
 */
export async function checkRevision(
  request: NewRevision,
  options: { readonly projectId: string; readonly sources: ModelSources },
): Promise<CheckedRevision> {
  const engine = getEngine(request.engine);
  const board = await getChosenBoard(request);
  const verdict = goTogether(engine, board);
  if (!verdict.ok) throw fromErrorData({ ...verdict.problem, field: "board" });
  requireLoadable(engine, board);
  checkOptions(engine, request.options ?? {});
  checkModelUrl(request.model.url, { ...options, field: "model.url" });
  if (request.calibration) {
    checkModelUrl(request.calibration.url, { ...options, field: "calibration.url" });
  }
  return {
    request: { ...request, engine: engine.id },
    boardModel: board.model.id,
    boardKind: board.kind,
    boardId: board.id,
  };
}

interface ChosenBoard {
  readonly id: string | null;
  readonly model: BoardModel;
  readonly kind: BoardKind;
  /** What boards that it can be may be given to load. */
  readonly loads: readonly Loads[];
}

async function getChosenBoard({ board }: NewRevision): Promise<ChosenBoard> {
  if ("id" in board) {
    const uuid = parseId(idPrefixes.board, board.id);
    const row =
      uuid && (await database().board.findFirst({ where: { id: uuid, removedAt: null } }));
    const model = row && findBoardModel(row.boardModel);
    if (row && model && row.kind !== "simulated") {
      if (row.drain !== null) throw drained(row.name);
      return {
        id: row.id,
        model,
        kind: boardKindSchema.parse(row.kind),
        loads: [loadsSchema.parse(row.loads)],
      };
    }
    throw fail("BOARD_UNKNOWN", "There is no such board.", {
      field: "board.id",
      hint: "Simulated boards are made on demand: choose one by its model.",
    });
  }
  const model = findBoardModel(board.model);
  if (!model)
    throw fail("BOARD_UNKNOWN", `There is no board model "${board.model}".`, {
      field: "board.model",
      hint: "List them with GET /api/v1/board-models.",
    });
  const loads: readonly Loads[] =
    board.kind === "physical" ? await physicalLoads(model) : ["boardwalk"];
  return { id: null, model, kind: board.kind, loads };
}

const drained = (name: string): AppError =>
  fail("NO_BOARD_FREE", `${name} is drained for maintenance and takes nothing new.`, {
    field: "board.id",
    hint: "Resume it on its page, or choose another board.",
  });

/** What the real boards of a model load. @throws {AppError} `NO_BOARD_FREE` where there are none. */
async function physicalLoads(model: BoardModel): Promise<readonly Loads[]> {
  const boards = await database().board.groupBy({
    by: ["loads"],
    where: { boardModel: model.id, kind: "physical", removedAt: null },
  });
  if (boards.length === 0)
    throw fail("NO_BOARD_FREE", `No physical ${model.name} is connected here.`, {
      field: "board",
      hint: `Deploy on a simulated ${model.name}, or enrol a board server that has one.`,
    });
  return boards.map(({ loads }) => loadsSchema.parse(loads));
}

/** Before a build: else only the load would tell. */
function requireLoadable(engine: Engine, { id, model, loads }: ChosenBoard): void {
  if (loadsOf(engine).some((each) => loads.includes(each))) return;
  const isAtAddress = loads.includes("bondmachine");
  const which = id === null ? `Every real ${model.name} here` : "This board";
  throw fail(
    "COMBINATION_UNSUPPORTED",
    isAtAddress
      ? `${which} is at an address and loads BondMachine's firmware alone, which engine ${engine.id} does not make.`
      : `${which} loads Boardwalk's firmware, and engine ${engine.id} makes BondMachine's alone.`,
    {
      field: "board",
      hint: isAtAddress
        ? `Deploy the URL of a finished firmware with engine prebuilt, or choose a simulated ${model.name}.`
        : "Attach a board of BondMachine's original system by its address, or choose another engine.",
    },
  );
}

function goTogether(engine: Engine, { model, kind }: ChosenBoard) {
  const isCpu = model.part.flow.kind === "cpu";
  if (isCpu !== (kind === "cpu"))
    throw fail("COMBINATION_UNSUPPORTED", `${model.name} is not a ${kind} board.`, {
      field: "board.kind",
    });
  return engine.supports(model, kind);
}

function checkOptions(engine: Engine, options: Readonly<Record<string, unknown>>): void {
  const parsed = engine.optionsSchema.safeParse(options);
  const issue = parsed.error?.issues[0];
  if (!issue) return;
  const extra = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  throw fail("OPTION_INVALID", issue.message, {
    field: ["options", ...issue.path, ...(extra ? [extra] : [])].join("."),
  });
}
