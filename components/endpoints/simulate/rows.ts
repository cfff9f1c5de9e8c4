import type { Manifest } from "@/lib/common/contract";
import { decodeRows, encodeRows } from "@/lib/common/core-io";
import { parseInferRequest, type Tensor } from "@/lib/common/tensor";
import { Problem } from "./problem";

/** The manifest of a design that has a core. */
export type CoreManifest = Manifest & { readonly core: NonNullable<Manifest["core"]> };
type Edge = Pick<CoreManifest, "io" | "core">;

/** The rows of a request as the core takes them. */
export interface RequestRows {
  readonly count: number;
  /** The bytes of one row. */
  bytesOf(row: number): Uint8Array;
}

/**
 * Reads a V2 request as the gateway does and quantises it as the board server does.
 *
 * @throws {AppError} `INFER_INVALID` of a request that is none for this core.
 * @throws {Problem} `INFER_INVALID` of one without rows.
 */
export function readRows({ io, core }: Edge, text: string): RequestRows {
  const { inputs } = parseInferRequest(new TextEncoder().encode(text));
  const { bytes, count } = encodeRows(io, core, inputs);
  if (count === 0) throw new Problem("noRow");
  return {
    count,
    bytesOf: (row) => bytes.slice(row * core.inputBytes, (row + 1) * core.inputBytes),
  };
}

/** What the core's bytes mean, as the board server reads them. */
export function readAnswer({ io, core }: Edge, output: Uint8Array): readonly Tensor[] {
  return decodeRows(io, core, output, 1);
}
