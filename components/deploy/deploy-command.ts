import type { Draft } from "./draft";
import { givenRange } from "./range-draft";

/** The deploy as a shell command, with what is filled in so far. */
export function deployCommand(draft: Draft, origin: string): string {
  const { board, options, calibration } = draft;
  const inputRange = givenRange(draft);
  const body = {
    name: draft.name || "NAME",
    engine: draft.engine || "ENGINE",
    model: { url: draft.url.trim() || "URL" },
    board:
      board === null
        ? {}
        : "id" in board
          ? { id: board.id }
          : { model: board.model, kind: board.kind },
    ...(inputRange ? { inputRange } : {}),
    ...(calibration ? { calibration: { url: calibration.url, name: calibration.name } } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl -sS ${origin}/api/v1/endpoints \\\n  -H 'Content-Type: application/json' \\\n  -H "Idempotency-Key: $(date +%s)-$$" \\\n  -d '${json}'`;
}
