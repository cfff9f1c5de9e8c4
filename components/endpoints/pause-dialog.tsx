"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useBoardTitle } from "@/components/boards";
import type { Notice } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { setPaused } from "./api";
import { ChangeDialog } from "./change-dialog";

/** Pauses an endpoint, or resumes a paused one: says first what callers get and what becomes of the board. */
export function PauseDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const client = useQueryClient();
  const board = useBoardTitle(endpoint.boardModel, endpoint.boardKind);
  const { name, paused, revision } = endpoint;
  const set = async (to: boolean): Promise<void> => {
    await setPaused(name, to);
    await client.invalidateQueries({ queryKey: ["endpoints"] });
  };
  const link = { href: `/endpoints/${name}`, label: "Show it" };
  const act = async (): Promise<Notice> => {
    await set(!paused);
    return {
      title: paused ? `${name} is resumed.` : `${name} is paused.`,
      text: paused ? "Requests are answered again." : "Requests get 503; its board stays loaded.",
      link,
      undo: async () => set(paused),
    };
  };
  return (
    <ChangeDialog
      title={paused ? `Resume ${name}?` : `Pause ${name}?`}
      verb={paused ? "Resume" : "Pause"}
      before={
        paused
          ? [
              `Requests are answered again by revision ${revision}, at once if its board serves.`,
              "Nothing is built or loaded for it.",
            ]
          : [
              "Requests get 503 from now on, over HTTP and gRPC alike and from this page too. Those under way are still answered.",
              `${board} stays loaded and is not freed for others, so resuming takes a moment.`,
              "Clients of V2 call the same unload and load: whoever loads it resumes it.",
            ]
      }
      act={act}
      onClose={onClose}
    />
  );
}
