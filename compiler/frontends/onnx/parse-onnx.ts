import { fail, isAppError } from "@/lib/common/errors";
import type { TensorSpec } from "@/lib/common/tensor";
import { decodeOnnxModel, type OnnxGraph, type OnnxModel } from "@/proto/onnx";
import type { Graph } from "../../graph/graph";
import { counted, quoted } from "../../graph/words";
import { operatorOf } from "../../operators";
import { refusalOf } from "../refusals";
import { sniff } from "../sniff";
import { limits, newest } from "./limits";
import { normalDomain } from "./operators";
import { type ReadGraph, readGraph } from "./read-graph";
import { scanOnnx } from "./scan";
import { checkInput, readValue, shapeOf } from "./values";

/**
 * Reads an ONNX file into a graph, without running anything of it: what comes back has known operators, finite weights
 * that are all there, and shapes that fit. `opset` is that of the standard operators, 0 if the model imports none.
 * Operators that only a CPU runs are in the graph too; subgraphs are checked and left out.
 *
 * @throws {AppError} with a `MODEL_…`, `OPERATOR_UNKNOWN` or `FORMAT_HAS_NO_ENGINE` reason.
 */
export function parseOnnx(bytes: Uint8Array): Graph {
  const format = sniff(bytes);
  const refusal = refusalOf(format, bytes);
  if (refusal) throw refusal;
  if (format !== "onnx") throw fail("MODEL_INVALID", "The file is not valid ONNX.");
  if (bytes.length > limits.fileBytes) {
    throw fail("MODEL_TOO_COMPLEX", `The model has ${counted(bytes.length, "byte")}.`);
  }
  scanOnnx(bytes);
  const model = decode(bytes);
  const opset = checkVersions(model);
  const { graph } = model;
  if (graph === undefined) throw fail("MODEL_INVALID", "The file has no graph.");
  const functions = new Set(
    model.functions.map(({ domain, name }) => `${normalDomain(domain)}:${name}`),
  );
  const content = readGraph(graph, { has: () => false, functions });
  const stored = new Set([
    ...graph.initializer.map(({ name }) => name),
    ...graph.sparseInitializer.map(({ values }) => values?.name),
  ]);
  const inputs = graph.input
    .filter(({ name }) => !stored.has(name))
    .map((info) => checkInput(readValue(info, "Input")));
  const shapes = inferShapes(graph, inputs, content);
  return { ...content, inputs, outputs: outputsOf(graph, shapes), shapes, opset };
}

function decode(bytes: Uint8Array): OnnxModel {
  try {
    return decodeOnnxModel(bytes);
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw fail("MODEL_INVALID", "The file is not valid ONNX.", { cause });
  }
}

function checkVersions({ irVersion, opsetImport }: OnnxModel): number {
  if (irVersion > BigInt(newest.irVersion)) {
    throw fail(
      "MODEL_VERSION_UNSUPPORTED",
      `IR version ${irVersion} is newer than what is supported, ${newest.irVersion}.`,
      { hint: `Export the model again for IR version ${newest.irVersion} or older.` },
    );
  }
  let opset = 0;
  for (const { domain, version } of opsetImport) {
    const plain = normalDomain(domain);
    const limit = newest.opsets[plain];
    if (limit !== undefined && (version > BigInt(limit) || version < 1n)) {
      const of = plain === "" ? "" : ` of ${quoted(plain)}`;
      throw fail(
        "MODEL_VERSION_UNSUPPORTED",
        version < 1n
          ? `Opset ${version}${of} does not exist.`
          : `Opset ${version}${of} is newer than what is supported, ${limit}.`,
        { hint: `Export the model again with opset ${limit} or older.` },
      );
    }
    if (plain === "") opset = Math.max(opset, Number(version));
  }
  return opset;
}

/** Walks the nodes in order: what a rule can tell wins over what the file declares. */
function inferShapes(
  graph: OnnxGraph,
  inputs: readonly TensorSpec[],
  { nodes, constants }: ReadGraph,
): Map<string, readonly number[]> {
  const shapes = new Map<string, readonly number[]>();
  for (const info of [...graph.valueInfo, ...graph.output]) {
    const shape = shapeOf(info);
    if (shape) shapes.set(info.name, shape);
  }
  for (const { name, shape } of constants.values()) shapes.set(name, shape);
  for (const { name, shape } of inputs) shapes.set(name, shape);
  for (const node of nodes) {
    const [output] = node.outputs;
    const inferred = operatorOf(node).shape?.({
      node,
      shapes: node.inputs.map((name) => shapes.get(name)),
      constant: (index) => constants.get(node.inputs[index] ?? ""),
    });
    if (output === undefined || inferred === undefined) continue;
    shapes.set(output, merged(inferred, shapes.get(output)));
  }
  return shapes;
}

/** The inferred shape, its free dimensions filled from a declaration of equal rank. */
function merged(
  inferred: readonly number[],
  declared: readonly number[] | undefined,
): readonly number[] {
  if (declared?.length !== inferred.length) return inferred;
  return inferred.map((dimension, index) =>
    dimension < 0 ? (declared[index] ?? dimension) : dimension,
  );
}

function outputsOf(graph: OnnxGraph, shapes: ReadonlyMap<string, readonly number[]>): TensorSpec[] {
  if (graph.output.length === 0) throw fail("MODEL_INVALID", "The model has no output.");
  return graph.output.map((info) => {
    const { name, datatype, shape } = readValue(info, "Output");
    return { name, datatype, shape: shapes.get(name) ?? shape ?? [-1] };
  });
}
