import { type BoardModel, getBoardModel } from "@/boards";
import { fitCandidates, fitsThatHold, usableCells } from "@/compiler/forecast";
import { type Fit, tooLargeSchema } from "@/lib/common/contract";
import { AppError, isAppError } from "@/lib/common/errors";

type Options = Readonly<Record<string, unknown>>;

/** One way of asking for the same model. */
export interface FitRequest {
  readonly board: BoardModel;
  /** As they came, so that what is left out stays out. */
  readonly options: Options;
}

/**
 * Does what makes a design; where that is too large for the part, adds to the error which changes would fit. Each of
 * them is tried the same way.
 *
 * @throws {AppError} what `make` throws; `MODEL_TOO_LARGE` has `details.fits`, see `tooLargeSchema`.
 */
export function withNearestFits<Made>(
  request: FitRequest,
  make: (request: FitRequest) => Made,
): Made {
  try {
    return make(request);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const fits = fitsThatHold(
      fitCandidates(request.options, request.board),
      (fit) => isWorthTrying(fit, error) && holds(fit, request, make),
    );
    const { code, message, reason, hint, field, details } = error;
    throw new AppError(code, message, {
      reason,
      ...(hint === undefined ? {} : { hint }),
      ...(field === undefined ? {} : { field }),
      details: { ...details, fits },
      cause: error,
    });
  }
}

/** Estimates of one graph differ by less than this between families. */
const slack = 0.7;

/** Unrolling a graph takes seconds: parts that are far too small are left out at once. */
function isWorthTrying({ board }: Fit, { details }: AppError): boolean {
  if (board === undefined) return true;
  const { lut } = getBoardModel(board).part.resources;
  const { lacking } = tooLargeSchema.parse(details ?? {});
  return lacking.every(({ id, needed }) => id !== "lut" || lut * usableCells >= needed * slack);
}

function holds(
  { options, board }: Fit,
  request: FitRequest,
  make: (request: FitRequest) => unknown,
): boolean {
  try {
    make({ options, board: board === undefined ? request.board : getBoardModel(board) });
    return true;
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}

const isTooLarge = (error: unknown): error is AppError =>
  isAppError(error) && error.reason === "MODEL_TOO_LARGE";
