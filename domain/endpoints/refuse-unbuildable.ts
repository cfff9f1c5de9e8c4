import { getBoardModel } from "@/boards";
import { isAnyWorkerUp } from "@/domain/build-workers";
import { getEqualBuilds } from "@/domain/forecasts";
import {
  findInspected,
  type InspectionState,
  requestInspection,
  waitForInspection,
} from "@/domain/models";
import { getEngine } from "@/engines";
import { findForecast, fitOnBoard, waysToFit } from "@/engines/forecast";
import { type Inspection, inspectionSchema, type Scope } from "@/lib/common/contract";
import { type AppError, fail, fromErrorData, httpStatusOf, isReason } from "@/lib/common/errors";
import type { CheckedRevision } from "./types";

/** How long a deploy waits for its model to be read. */
export interface Reading {
  /** Zero: it does not wait, and the build finds out. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Refuses a deploy whose build is known to fail: its model cannot be read, its engine does not take it, or its board is too
 * small. What is not known in time is left to the build. An earlier inspection may let it pass, but only one that is made now
 * refuses.
 *
 * @throws {AppError} What the worker met, with field `model.url`; the engine's refusal, with `engine`; `MODEL_TOO_LARGE`, with
 *   `board` and the details of `tooLargeSchema`.
 */
export async function refuseUnbuildable(
  scope: Scope,
  checked: CheckedRevision,
  { timeoutMs, signal }: Reading,
): Promise<void> {
  if (timeoutMs <= 0) return;
  const { url } = checked.request.model;
  const before = await findInspected(scope, url);
  if (before && !(await refusalOf(scope, checked, before))) return;
  if (!(await isAnyWorkerUp())) return;
  const { id } = await requestInspection(scope, { url });
  const found = resultOf(
    await waitForInspection(scope, id, { timeoutMs, ...(signal ? { signal } : {}) }),
  );
  const refusal = found && (await refusalOf(scope, checked, found));
  if (refusal) throw refusal;
}

/** What was found; null while nobody knows, or where the worker is to blame. @throws {AppError} What is wrong with the source. */
function resultOf({ result, problem }: InspectionState): Inspection | null {
  if (!problem) return inspectionSchema.safeParse(result).data ?? null;
  const error = fromErrorData({ ...problem, field: "model.url" });
  const isOfModel = [413, 422].includes(httpStatusOf(error));
  if (isOfModel && error.reason !== "INSPECTION_TIMED_OUT") throw error;
  return null;
}

async function refusalOf(
  scope: Scope,
  checked: CheckedRevision,
  found: Inspection,
): Promise<AppError | null> {
  return refusalByEngine(checked, found) ?? (await refusalByBoard(scope, checked, found));
}

function refusalByEngine({ request }: CheckedRevision, { engines }: Inspection): AppError | null {
  const verdict = engines.find(({ id }) => id === request.engine);
  if (!verdict || verdict.ok) return null;
  const { reason, message, hint } = verdict;
  return fail(
    isReason(reason) ? reason : "MODEL_UNSUPPORTED",
    message ?? `Engine ${request.engine} cannot take this model.`,
    { field: "engine", ...(hint === undefined ? {} : { hint }) },
  );
}

async function refusalByBoard(
  scope: Scope,
  { request, boardModel, boardKind }: CheckedRevision,
  { outlines, digest }: Inspection,
): Promise<AppError | null> {
  const engine = getEngine(request.engine);
  const board = getBoardModel(boardModel);
  const forecasts = findForecast(engine.id);
  const outline = outlines?.[engine.id];
  const isFirmware = (engine.kindOn?.(board) ?? engine.kind) === "fpga";
  if (!forecasts || !outline || !isFirmware) return null;
  const { options = {}, inputRange, calibration } = request;
  const question = { forecasts, outline, board, options };
  const fit = fitOnBoard(question);
  if (!fit || fit.fits || !fit.isSure) return null;
  const { builds } = await getEqualBuilds(scope, {
    modelDigest: digest,
    engine: engine.id,
    board: { model: board.id, kind: boardKind },
    options,
    ...(inputRange ? { inputRange } : {}),
    ...(calibration ? { calibration } : {}),
  });
  // What was built before fits, whatever is estimated.
  if (builds > 0) return null;
  const { lack, lacking } = fit.guess;
  const fits = waysToFit(question);
  const titles = fits.map(({ title }) => title).join("; ");
  return fail("MODEL_TOO_LARGE", `The model does not fit ${board.name}: it ${lack}.`, {
    field: "board",
    hint: titles === "" ? "Choose a larger board, or a CPU." : `It would fit: ${titles}.`,
    details: { lacking, fits },
  });
}
