import { useQuery } from "@tanstack/react-query";
import { forecastDeviationsQuery } from "@/components/forecasts";
import type { EngineSummary, Inspection } from "@/lib/common/contract";
import type { Draft } from "./draft";
import type { PresetOutlook } from "./preset-outlook";
import { presetChoices } from "./presets";

const none: ReadonlyMap<string, PresetOutlook> = new Map();

/** What each preset of the chosen engine comes to for the model on the chosen board, as it becomes known. */
export function usePresetOutlooks(
  { board }: Pick<Draft, "board">,
  facts: Inspection | undefined,
  engine: EngineSummary | undefined,
): ReadonlyMap<string, PresetOutlook> {
  const { data: deviations } = useQuery(forecastDeviationsQuery());
  const outline = engine && facts?.outlines?.[engine.id];
  const isKnown = engine && board && engine.firmwareBoards.includes(board.model);
  const query = useQuery({
    queryKey: ["preset-outlooks", facts?.digest, engine?.id, board?.model, deviations],
    queryFn: async () => {
      if (!outline || !engine || !board) return none;
      // Boards and forecasts are large, and loaded once there is a model.
      const { presetOutlooks } = await import("./preset-outlook");
      return await presetOutlooks(presetChoices(engine), {
        ...{ engine: engine.id, outline, board: board.model },
        deviations: deviations?.items ?? [],
      });
    },
    enabled: outline !== undefined && isKnown === true,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
  return (outline && isKnown && query.data) || none;
}
