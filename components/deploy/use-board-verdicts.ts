import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { builtBoardsQuery } from "@/components/forecasts";
import type { EngineSummary, Inspection } from "@/lib/common/contract";
import { boardVerdicts } from "./board-verdict";
import { engineFor, goesWith } from "./choices";
import type { Draft } from "./draft";
import { givenRange } from "./range-draft";
import type { Choices } from "./use-choices";

const none: ReadonlyMap<string, null> = new Map();

/** What is to be said of each board for the model, the engine and the options of the draft, as it becomes known. */
export function useBoardVerdicts(
  draft: Draft,
  facts: Inspection | undefined,
  { engine, engineList, boardList }: Pick<Choices, "engine" | "engineList" | "boardList">,
) {
  const fits = useBoardFits(draft, facts, engine);
  const built = useBuiltBoards(draft, facts);
  return boardVerdicts(boardList, {
    fits,
    built,
    engineWith: (pick) => {
      const id = engineFor(pick, draft.engine, engineList);
      const other = engineList.find((choice) => choice.engine.id === id);
      return other && goesWith(other.engine, pick) ? id : null;
    },
  });
}

function useBoardFits(
  draft: Draft,
  facts: Inspection | undefined,
  engine: EngineSummary | undefined,
) {
  const options = useDeferredValue(draft.options);
  const outline = engine && facts?.outlines?.[engine.id];
  const query = useQuery({
    queryKey: ["fits", facts?.digest, engine?.id, options],
    queryFn: async ({ signal }) => {
      if (!outline || !engine) return none;
      // Boards and forecasts are large, and loaded once there is a model.
      const { fitBoards } = await import("./fit-boards");
      const asked = { engine: engine.id, outline, options, boards: engine.firmwareBoards };
      return await fitBoards(asked, signal);
    },
    enabled: outline !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
  return (outline && query.data) || none;
}

function useBuiltBoards(draft: Draft, facts?: Inspection) {
  const { engine, options, calibration } = draft;
  const inputRange = givenRange(draft);
  const query = useQuery({
    ...builtBoardsQuery({
      modelDigest: facts?.digest ?? "sha256:",
      engine,
      options,
      ...(inputRange ? { inputRange } : {}),
      ...(calibration ? { calibration: { url: calibration.url } } : {}),
    }),
    enabled: facts !== undefined && engine !== "",
    placeholderData: keepPreviousData,
  });
  return (facts && !query.isPlaceholderData && query.data) || null;
}
