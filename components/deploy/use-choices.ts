import { useQueries } from "@tanstack/react-query";
import { boardModelsQuery, boardsQuery, useBoardFacts } from "@/components/boards";
import { endpointsQuery } from "@/components/endpoints";
import { enginesQuery } from "@/components/engines";
import type { Inspection } from "@/lib/common/contract";
import { boardChoices, engineChoices } from "./choices";
import type { Draft } from "./draft";

export type Choices = ReturnType<typeof useChoices>;

/** The engines and boards to choose from, as they go with the other answers; and the names that are taken. */
export function useChoices(draft: Draft, facts: Inspection | undefined) {
  const [engines, models, boards, endpoints] = useQueries({
    queries: [enginesQuery(), boardModelsQuery(), boardsQuery(), endpointsQuery()],
  });
  const { name: boardName } = useBoardFacts(draft.board?.model ?? "");
  const engine = engines.data?.items.find(({ id }) => id === draft.engine);
  const engineList = engineChoices({
    engines: engines.data?.items ?? [],
    model: facts,
    board: draft.board,
    boardName,
  });
  const isFirmware =
    engine !== undefined &&
    (draft.board === null
      ? engine.kind === "fpga"
      : engine.firmwareBoards.includes(draft.board.model));
  return {
    /** Whether the chosen engine makes firmware for the chosen board. */
    isFirmware,
    engines,
    models,
    engine,
    engineList,
    /** Why the chosen engine cannot take the model. */
    engineRefusal: engineList.find((each) => each.engine.id === draft.engine)?.refusal ?? null,
    boardList: boardChoices({
      models: models.data?.items ?? [],
      boards: boards.data?.items ?? [],
      engine,
    }),
    boardModel: models.data?.items.find(({ id }) => id === draft.board?.model),
    taken: (endpoints.data?.items ?? []).map(({ name }) => name),
  };
}
