import { type AppError, fail } from "@/lib/common/errors";

/** What a request may hold; more is refused before anything is allocated. */
export const tensorLimits = {
  tensors: 64,
  dimensions: 8,
  elements: 67_108_864,
  /** Elements of all inputs that come, or outputs that leave, one by one: as JSON or typed contents, not as bytes. */
  listed: 4_194_304,
  /** Elements of all BYTES tensors of a message, each of which is an object. */
  strings: 262_144,
  parameters: 256,
} as const;

/** Counts the elements of a message that are read or written one by one. */
export class ElementCounter {
  private listed = 0;
  private strings = 0;

  /** @throws {AppError} `BODY_TOO_LARGE` before any of them is read. */
  list(count: number, label: string): void {
    this.listed += count;
    if (this.listed <= tensorLimits.listed) return;
    throw fail(
      "BODY_TOO_LARGE",
      `${label} makes more than ${tensorLimits.listed} elements that are no raw bytes, send it as bytes`,
    );
  }

  /** Counts those of a BYTES tensor, however it travels. @throws {AppError} `BODY_TOO_LARGE` */
  addStrings(count: number, label: string): void {
    this.strings += count;
    if (this.strings <= tensorLimits.strings) return;
    throw fail(
      "BODY_TOO_LARGE",
      `${label} makes more than ${tensorLimits.strings} BYTES elements in one message`,
    );
  }
}

/** The error for a request or tensor that breaks the protocol: `INFER_INVALID`. */
export function invalid(message: string, hint?: string): AppError {
  return fail("INFER_INVALID", message, hint === undefined ? {} : { hint });
}

/**
 * Product of the dimensions; 1 for a scalar.
 *
 * @throws {AppError} `INFER_INVALID` on overflow or too many dimensions, `BODY_TOO_LARGE` above the element limit.
 */
export function elementCount(shape: readonly number[], label: string): number {
  if (shape.length > tensorLimits.dimensions) {
    throw invalid(
      `${label} has ${shape.length} dimensions, at most ${tensorLimits.dimensions} are taken`,
    );
  }
  if (shape.includes(0)) return 0;
  const count = shape.reduce((product, dimension) => product * dimension, 1);
  if (!Number.isSafeInteger(count)) {
    throw invalid(`the element count of ${label} overflows: shape ${shapeText(shape)}`);
  }
  if (count > tensorLimits.elements) {
    throw fail(
      "BODY_TOO_LARGE",
      `${label} has ${count} elements, at most ${tensorLimits.elements} are taken`,
    );
  }
  return count;
}

/** A shape as the error texts show it: `[-1,4]`. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(",")}]`;
}
