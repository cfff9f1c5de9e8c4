import { useQueries } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { boardModelsQuery, boardsQuery, useBoardFacts } from "@/components/boards";
import { enginesQuery } from "@/components/engines";
import type { Inspection } from "@/lib/common/contract";
import { boardChoices, engineChoices, targetFor } from "./choices";
import { type Draft, keyOfPick } from "./draft";

export type Choices = ReturnType<typeof useChoices>;

/** The engines and boards to choose from, as they go with the other answers. */
export function useChoices(draft: Draft, facts: Inspection | undefined) {
  const t = useTranslations("deploy");
  const [engines, models, boards] = useQueries({
    queries: [enginesQuery(), boardModelsQuery(), boardsQuery()],
  });
  const listed = {
    engines: engines.data?.items ?? [],
    models: models.data?.items ?? [],
    boards: boards.data?.items ?? [],
  };
  const target = targetFor(draft, facts, {
    engines: engineChoices({ ...listed, model: facts, board: null }),
    boards: boardChoices({ ...listed, engine: undefined }),
  });
  const { name: boardName } = useBoardFacts(target.board?.model ?? "");
  const engine = listed.engines.find(({ id }) => id === target.engine);
  const engineList = engineChoices({
    ...listed,
    model: facts,
    board: target.board,
    cannotTake: t("cannotTake"),
  });
  const boardList = boardChoices({ ...listed, engine });
  const isFirmware =
    engine !== undefined &&
    (target.board === null
      ? engine.kind === "fpga"
      : engine.firmwareBoards.includes(target.board.model));
  return {
    /** Whether the chosen engine makes firmware for the chosen board. */
    isFirmware,
    engines,
    models,
    /** The engine and board of the draft, or those that go with its model. */
    target,
    engine,
    engineList,
    /** Of the chosen board. */
    boardName,
    /** Why the chosen engine cannot take the model. */
    engineRefusal: engineList.find((each) => each.engine.id === target.engine)?.refusal ?? null,
    boardList,
    /** Whether the chosen board is none of those that are there. */
    isBoardGone: isGone(target.board, boardList, boards.isSuccess && models.isSuccess),
    boardModel: listed.models.find(({ id }) => id === target.board?.model),
  };
}

function isGone(
  pick: Draft["board"],
  boards: ReturnType<typeof boardChoices>,
  areKnown: boolean,
): boolean {
  if (!areKnown || pick === null) return false;
  const key = keyOfPick(pick);
  // Of a model and kind it is any, of which the server knows more than is listed.
  return "id" in pick && boards.every((choice) => keyOfPick(choice.pick) !== key);
}
