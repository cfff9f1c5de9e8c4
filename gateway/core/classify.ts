import { fail } from "@/lib/common/errors";
import {
  type Datatype,
  type InferRequest,
  shapeText,
  type Tensor,
  type TensorSpec,
} from "@/lib/common/tensor";
import type { ServedRevision } from "./route-table";

const most = 1_000_000;
const texts = new TextEncoder();
const ranked: ReadonlySet<Datatype> = new Set([
  "UINT8",
  "UINT16",
  "UINT32",
  "UINT64",
  "INT8",
  "INT16",
  "INT32",
  "INT64",
  "FP32",
  "FP64",
]);

type Classified = Pick<ServedRevision, "labels" | "maxBatchSize">;

/** @throws {AppError} `INFER_INVALID` for an output that has no order, before anything runs. */
export function checkClassification(
  { outputs }: Pick<InferRequest, "outputs">,
  specs: readonly TensorSpec[],
): void {
  for (const { name, classification } of outputs) {
    const datatype = specs.find((spec) => spec.name === name)?.datatype;
    if (classification === undefined || datatype === undefined || ranked.has(datatype)) continue;
    throw fail("INFER_INVALID", `output '${name}' of datatype ${datatype} cannot be classified`);
  }
}

/**
 * Puts the best classes in the place of the outputs for which a request wants them: BYTES of `[n]` or `[batch, n]`, each
 * `value:index` or `value:index:label`, the largest first.
 *
 * @see The classification extension of Triton.
 */
export function classify(
  outputs: readonly Tensor[],
  request: Pick<InferRequest, "outputs">,
  revision: Classified,
): readonly Tensor[] {
  if (request.outputs.every(({ classification }) => classification === undefined)) return outputs;
  return outputs.map((tensor) => {
    const wanted = request.outputs.find(({ name }) => name === tensor.name)?.classification;
    return wanted === undefined ? tensor : best(tensor, wanted, revision);
  });
}

function best(tensor: Tensor, wanted: number, { labels, maxBatchSize }: Classified): Tensor {
  const { name, shape } = tensor;
  const data = tensor.data as ArrayLike<number | bigint>;
  const batched = maxBatchSize > 0 && shape.length > 0;
  const rows = batched ? (shape[0] ?? 1) : 1;
  const width = rows === 0 ? 0 : data.length / rows;
  if (width > most) {
    throw fail(
      "INFER_INVALID",
      `output '${name}' of shape ${shapeText(shape)} has more than ${most} classes`,
    );
  }
  const count = Math.min(wanted, width);
  const names = labels?.[name];
  const list: Uint8Array[] = [];
  for (let row = 0; row < rows; row++) {
    for (const index of largest(data, { from: row * width, width, count })) {
      const label = names?.[index];
      const text = `${valueText(data[row * width + index] ?? 0, tensor.datatype)}:${index}`;
      list.push(texts.encode(label === undefined ? text : `${text}:${label}`));
    }
  }
  return { name, datatype: "BYTES", shape: batched ? [rows, count] : [count], data: list };
}

function largest(
  data: ArrayLike<number | bigint>,
  { from, width, count }: { readonly from: number; readonly width: number; readonly count: number },
): number[] {
  const order = Array.from({ length: width }, (_, index) => index);
  const at = (index: number) => data[from + index] ?? 0;
  // NaN has no place: it comes last.
  order.sort((a, b) => {
    const [x, y] = [at(a), at(b)];
    if (x === y) return a - b;
    return Number.isNaN(x) || x < y ? 1 : -1;
  });
  return order.slice(0, count);
}

const valueText = (value: number | bigint, datatype: Datatype): string =>
  datatype === "FP32" || datatype === "FP64" ? Number(value).toFixed(6) : String(value);
