import type { BoardKind, Loads, NewRevision } from "@/lib/common/contract";
import type { Draft } from "./draft";
import { featureDrafts } from "./feature-draft";
import { rangeDraftOf } from "./range-draft";

/** A request as it was made, with what became of its choice of a board. */
export interface EarlierRequest {
  readonly request: NewRevision;
  readonly boardModel: string;
  readonly boardKind: BoardKind;
  /** What the board takes that it names, where that is known. */
  readonly loads?: Loads | undefined;
  /** What the file was called, of a model that was uploaded. */
  readonly modelName?: string | undefined;
  /** What its rows were understood as, which only its own form knew: `taken over from revision 2`. */
  readonly understood: string;
}

/** The form's answers that make the very same request again, whatever of it the form has controls for. */
export function draftOfRequest({
  request,
  boardModel: model,
  boardKind: kind,
  loads,
  modelName,
  understood,
}: EarlierRequest): Omit<Draft, "name" | "named"> {
  const { engine, board, inputRange, calibration, features, options = {}, serving = {} } = request;
  const { url } = request.model;
  const hasRange = inputRange !== undefined || calibration !== undefined;
  return {
    url,
    ...(modelName === undefined ? {} : { upload: { url, name: modelName } }),
    engine,
    board: "id" in board ? { id: board.id, model, kind, ...(loads ? { loads } : {}) } : board,
    settled: true,
    options,
    preset: null,
    // Who went on without a range then need not say so again.
    range: { ...rangeDraftOf(inputRange), assumedFor: hasRange ? "" : url },
    calibration: calibration
      ? {
          url: calibration.url,
          name: calibration.name ?? calibration.url,
          understood,
          inputs: null,
        }
      : null,
    serving,
    features: featureDrafts(features),
    pinned: request.model,
  };
}
