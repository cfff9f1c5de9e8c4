import { type AppError, fail } from "@/lib/common/errors";
import { type InferRequest, shapeText, type TensorSpec } from "@/lib/common/tensor";
import type { ServedRevision } from "./route-table";

/**
 * Holds a request against what its model declares: names, datatypes, shapes, batch, requested outputs.
 *
 * @returns The inputs in the model's order.
 * @throws {AppError} `INFER_INVALID`
 */
export function checkRequest<Input extends TensorSpec>(
  model: string,
  {
    inputs: specs,
    outputs,
    maxBatchSize,
  }: Pick<ServedRevision, "inputs" | "outputs" | "maxBatchSize">,
  request: { readonly inputs: readonly Input[]; readonly outputs: InferRequest["outputs"] },
): readonly Input[] {
  const byName = new Map<string, Input>();
  for (const input of request.inputs) {
    if (byName.has(input.name)) {
      throw invalid(`input '${input.name}' is given more than once for model '${model}'`);
    }
    if (!specs.some(({ name }) => name === input.name)) {
      throw invalid(`unexpected inference input '${input.name}' for model '${model}'`);
    }
    byName.set(input.name, input);
  }
  const ordered = specs.map(
    ({ name }) => byName.get(name) ?? missing(model, specs, request.inputs),
  );
  ordered.forEach((tensor, index) => {
    const spec = specs[index] as TensorSpec;
    if (tensor.datatype !== spec.datatype) {
      throw invalid(
        `inference input '${tensor.name}' data-type is '${tensor.datatype}', but model '${model}' expects '${spec.datatype}'`,
      );
    }
  });
  ordered.forEach((tensor, index) => {
    checkShape(model, tensor, specs[index] as TensorSpec, maxBatchSize > 0);
  });
  if (maxBatchSize > 0) checkBatch(model, ordered, maxBatchSize);
  for (const { name } of request.outputs) {
    if (!outputs.some((output) => output.name === name)) {
      throw invalid(`unexpected inference output '${name}' for model '${model}'`);
    }
  }
  return ordered;
}

function missing(model: string, specs: readonly TensorSpec[], given: readonly TensorSpec[]): never {
  const absent = specs.filter(({ name }) => !given.some((input) => input.name === name));
  const list = (tensors: readonly { name: string }[]) =>
    tensors.map(({ name }) => `'${name}'`).join(", ");
  throw invalid(
    `expected ${specs.length} inputs but got ${given.length} inputs for model '${model}'. Got input(s) [${list(given)}], but missing required input(s) [${list(absent)}]`,
  );
}

function checkShape(
  model: string,
  { name, shape }: TensorSpec,
  spec: TensorSpec,
  batched: boolean,
): void {
  const fits =
    shape.length === spec.shape.length &&
    shape.every((dimension, axis) => {
      const expected = spec.shape[axis];
      return expected === -1 || expected === dimension;
    });
  if (fits) return;
  const lacksBatch = batched && shape.length === spec.shape.length - 1;
  const hint = lacksBatch ? ". The batch dimension is missing: put a leading 1 into the shape" : "";
  throw invalid(
    `unexpected shape for input '${name}' for model '${model}'. Expected ${shapeText(spec.shape)}, got ${shapeText(shape)}${hint}`,
  );
}

function checkBatch(model: string, inputs: readonly TensorSpec[], maxBatchSize: number): void {
  const batch = inputs[0]?.shape[0] ?? 0;
  for (const { name, shape } of inputs) {
    if (shape[0] !== batch) {
      throw invalid(
        `input '${name}' batch size ${shape[0]} differs from ${batch} of the other inputs for model '${model}'`,
      );
    }
  }
  if (batch === 0) throw invalid(`inference request batch-size must be > 0 for model '${model}'`);
  if (batch > maxBatchSize) {
    throw invalid(`inference request batch-size must be <= ${maxBatchSize} for '${model}'`);
  }
}

function invalid(message: string): AppError {
  return fail("INFER_INVALID", message);
}
