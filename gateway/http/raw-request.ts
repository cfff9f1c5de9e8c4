import { fail } from "@/lib/common/errors";
import { datatypes, type InferRequest, readBlob, shapeText } from "@/lib/common/tensor";
import type { ServedRevision } from "../core";

/**
 * Reads a body that is nothing but the bytes of a model's only input (`Inference-Header-Content-Length: 0`). One
 * dimension may be free and follows from the size; the batch is 1.
 *
 * @throws {AppError} `INFER_INVALID` where that does not say which tensor is meant.
 */
export function rawRequest(
  body: Uint8Array,
  { inputs, maxBatchSize }: Pick<ServedRevision, "inputs" | "maxBatchSize">,
  asJson: boolean,
): InferRequest {
  const [spec] = inputs;
  if (!spec || inputs.length !== 1) {
    throw fail("INFER_INVALID", `a raw request needs a model with one input, not ${inputs.length}`);
  }
  const { name, datatype } = spec;
  const shape = maxBatchSize > 0 ? [1, ...spec.shape.slice(1)] : [...spec.shape];
  const free = shape.filter((dimension) => dimension === -1).length;
  if (free > 1) {
    throw fail("INFER_INVALID", `a raw request cannot fill the shape ${shapeText(spec.shape)}`);
  }
  const fixed = shape.reduce((product, dimension) => product * Math.abs(dimension), 1);
  if (datatype === "BYTES") {
    if (fixed !== 1) throw fail("INFER_INVALID", "a raw request holds one BYTES element");
    return request({ name, datatype, shape: shape.map(Math.abs), data: [body] }, asJson);
  }
  const count = body.length / datatypes[datatype].bytes;
  const variable = count / fixed;
  const fits = free === 1 ? Number.isInteger(variable) : variable === 1;
  if (!fits) {
    throw fail(
      "INFER_INVALID",
      `a raw request of ${body.length} bytes does not fill ${datatype} of shape ${shapeText(shape)}`,
    );
  }
  const exact = shape.map((dimension) => (dimension === -1 ? variable : dimension));
  const data = readBlob(body, { datatype, count, label: `input '${name}'` });
  return request({ name, datatype, shape: exact, data }, asJson);
}

/** Raw requests get raw answers, unless the caller takes JSON and nothing else. */
export function wantsJson(accept: string | undefined): boolean {
  const types = (accept ?? "").split(",").map((entry) => entry.split(";")[0]?.trim());
  return (
    types.includes("application/json") &&
    !types.includes("application/octet-stream") &&
    !types.includes("*/*")
  );
}

function request(input: InferRequest["inputs"][number], asJson: boolean): InferRequest {
  return { id: "", parameters: new Map(), inputs: [input], outputs: [], binaryOutput: !asJson };
}
