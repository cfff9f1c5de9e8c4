import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getBoardModel } from "@/boards";
import type { NewSearch, PrecisionTry, SearchResult } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { maxRowsBytes } from "@/lib/common/rows";
import { startThread } from "@/lib/server/process";
import { type FetchOptions, fetchCompanions, fetchSource } from "../../fetch";
import { countSharedRows, settleRows, withGivenRange } from "../../rows";
import { inspectAndRead } from "../inspect-bytes";
import type { SearchStarted, SearchTask } from "./search.thread";

/** A net of some thousand weights takes seconds for a try. */
const tryMs = 300_000;

/**
 * Searches for the fewest bits that still agree with the float model. Each try is told as soon as it is made.
 *
 * @param onProgress What it throws ends the search.
 * @throws {AppError} `CALIBRATION_MISSING` without rows to test with, and all that a build's first stages throw.
 */
export async function runSearch(
  { model, inputRange, calibration, board, options = {}, agreement }: NewSearch,
  { folder, ...fetching }: Omit<FetchOptions, "path"> & { readonly folder: string },
  onProgress: (result: SearchResult) => Promise<void>,
): Promise<SearchResult> {
  const signal = fetching.signal ?? new AbortController().signal;
  const fetched = async (url: string, name: string, limitBytes?: number) => {
    const { path } = await fetchSource(url, { ...fetching, path: join(folder, name), limitBytes });
    return await readFile(path);
  };
  const bytes = await fetched(model.url, "model");
  const beside = await fetchCompanions(model.url, fetching);
  const known = model.card ?? beside.card;
  const { graph } = await inspectAndRead(bytes, { card: known, signal });
  if (!graph) {
    throw fail(
      "MODEL_UNSUPPORTED",
      "Only models that the boardwalk engine reads have bits to save.",
    );
  }
  const card = withGivenRange(known, inputRange, graph.inputs);
  const given = calibration && {
    bytes: await fetched(calibration.url, "rows", maxRowsBytes),
    source: calibration.name ?? "the given file",
  };
  const rows = await settleRows(
    graph,
    { card, beside: beside.rows, given: given ?? null },
    { signal, say: () => {} },
  );
  if (!rows.heldBack) {
    throw fail("CALIBRATION_MISSING", "A search needs rows to test with, and there are none.", {
      field: "calibration",
      hint: "Add rows: made-up ones say nothing of how often real ones agree.",
    });
  }
  const target = getBoardModel(board);
  const thread = startThread("workers/inspect/search/search.thread");
  try {
    const ask = <Answer>(task: SearchTask) =>
      thread.run<Answer>(task, { signal, timeoutMs: tryMs });
    const started = await ask<SearchStarted>({
      kind: "start",
      graph,
      card,
      calibration: rows.calibration,
      tests: rows.heldBack,
      board: target,
      options,
      wanted: agreement,
    });
    const tries: PrecisionTry[] = [];
    const result = (): SearchResult => ({
      ...started,
      wanted: agreement,
      calibrationRows: rows.calibration?.count ?? 0,
      testRows: rows.heldBack?.count ?? 0,
      sharedRows:
        rows.calibration && rows.heldBack ? countSharedRows(rows.heldBack, rows.calibration) : 0,
      source: rows.heldBack?.source ?? "",
      cellsAvailable: target.part.resources.lut,
      tries,
      best: lastThatHolds(tries),
    });
    await onProgress(result());
    for (;;) {
      const next = await ask<PrecisionTry | null>({ kind: "next" });
      if (next === null) return result();
      tries.push(next);
      await onProgress(result());
    }
  } finally {
    await thread.close();
  }
}

function lastThatHolds(tries: readonly PrecisionTry[]): number | null {
  const at = tries.findLastIndex(({ holds }) => holds);
  return at < 0 ? null : at;
}
