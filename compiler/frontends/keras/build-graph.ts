import { fail } from "@/lib/common/errors";
import type { Datatype, TensorSpec } from "@/lib/common/tensor";
import type { Graph } from "../../graph/graph";
import { counted, quoted, shapeInWords } from "../../graph/words";
import { type Builder, createBuilder, type Value } from "./builder";
import type { Fields } from "./fields";
import { hgqLayers, isHgqModule, layers } from "./layers";
import { limits } from "./limits";
import { tidy } from "./tidy";
import {
  isModelClass,
  type LayerConfig,
  type ModelConfig,
  readTopology,
  type TensorRef,
  whereOf,
} from "./topology";
import { checkLayer } from "./trust";
import type { LayerWeights, ModelWeights } from "./weights";

interface Context {
  readonly builder: Builder;
  readonly kerasMajor: number;
  /** Names of the models around, `outer/`. */
  readonly prefix: string;
  readonly depth: number;
}

/** Version of the operators that are written. */
const opset = 17;

/**
 * Builds the graph of a model from its configuration and weights.
 *
 * @throws {AppError} naming the layer at fault.
 */
export function buildGraph(model: ModelConfig, weights: ModelWeights, kerasMajor: number): Graph {
  checkAll(model, 0);
  const builder = createBuilder();
  const inputs = inputsOf(model);
  for (const { name, shape } of inputs) builder.shapes.set(name, shape);
  const context: Context = { builder, kerasMajor, prefix: "", depth: 0 };
  const results = runModel(model, weights, inputs, context);
  const names = outputNames(model);
  return tidy({
    inputs,
    outputs: results.map((value, index) => ({ value, name: names[index] ?? `output_${index}` })),
    builder,
    opset,
  });
}

/** All layers are judged before any is read, so that the message is about what the model is. */
function checkAll(model: ModelConfig, depth: number): void {
  if (depth > limits.depth)
    throw fail("MODEL_TOO_COMPLEX", "The model has models nested too deeply.");
  for (const layer of model.layers) {
    checkLayer(layer);
    if (isModelClass(layer.className))
      checkAll(readTopology(layer.className, layer.config), depth + 1);
  }
}

/** Runs a model over its inputs, as the whole graph or as a layer of another. */
function runModel(
  model: ModelConfig,
  weights: ModelWeights,
  inputs: readonly Value[],
  context: Context,
): readonly Value[] {
  const found = weights(model.layers);
  const weightsOf = (layer: LayerConfig): LayerWeights => {
    const own = found[model.layers.indexOf(layer)];
    if (!own) throw new RangeError(`no weights for ${layer.name}`);
    return own;
  };
  if (model.kind === "sequential") {
    let values = inputs;
    for (const layer of model.layers) {
      if (layer.className !== "InputLayer")
        values = runLayer(layer, weightsOf(layer), values, context);
    }
    return values;
  }
  if (inputs.length !== model.inputs.length) {
    throw fail(
      "MODEL_INVALID",
      `Model ${quoted(model.name)} takes ${counted(model.inputs.length, "input")}, not ${inputs.length}.`,
    );
  }
  return runFunctional(model, weightsOf, inputs, context);
}

function runFunctional(
  model: ModelConfig,
  weightsOf: (layer: LayerConfig) => LayerWeights,
  inputs: readonly Value[],
  context: Context,
): Value[] {
  const byName = new Map(model.layers.map((layer) => [layer.name, layer]));
  const results = new Map<string, readonly Value[]>();
  const keyOf = ({ layer, use }: Pick<TensorRef, "layer" | "use">) => `${use}:${layer}`;
  for (const [index, ref] of model.inputs.entries()) {
    const value = inputs[index];
    if (value) results.set(keyOf(ref), [value]);
  }
  // A stack of its own: a chain of layers may be longer than a call stack. Uses count from the first inbound node.
  const pending = [...model.outputs].reverse();
  const open = new Set<string>();
  while (pending.length > 0) {
    const ref = pending.at(-1);
    if (!ref) break;
    const key = keyOf(ref);
    if (results.has(key)) {
      pending.pop();
      continue;
    }
    const layer = byName.get(ref.layer);
    const use = layer?.uses[indexOfUse(layer, ref.use, model)];
    if (!layer || !use) {
      throw fail(
        "MODEL_INVALID",
        `The model reads ${quoted(ref.layer)}, which is no layer or result of it.`,
      );
    }
    const missing = use.filter((each) => !results.has(keyOf(each)));
    if (missing.length === 0) {
      const values = use.map((each) => pick(results.get(keyOf(each)), each));
      results.set(key, runLayer(layer, weightsOf(layer), values, context));
      open.delete(key);
      pending.pop();
      continue;
    }
    if (open.has(key))
      throw fail("MODEL_CYCLE", `The model has a cycle through ${quoted(ref.layer)}.`);
    open.add(key);
    pending.push(...missing);
  }
  return model.outputs.map((ref) => pick(results.get(keyOf(ref)), ref));
}

/**
 * A model that is a layer has a use of its own, when it was made, before those in the model around it; its uses count
 * from 1 there in older files.
 */
function indexOfUse(layer: LayerConfig, use: number, _model: ModelConfig): number {
  return isModelClass(layer.className) && layer.uses.length <= use ? use - 1 : use;
}

function pick(values: readonly Value[] | undefined, ref: TensorRef): Value {
  const value = values?.[ref.output];
  if (value) return value;
  throw fail("MODEL_INVALID", `Layer ${quoted(ref.layer)} has no result ${ref.output}.`);
}

function runLayer(
  layer: LayerConfig,
  weights: LayerWeights,
  inputs: readonly Value[],
  { builder, kerasMajor, prefix, depth }: Context,
): readonly Value[] {
  const { name, className, fields } = layer;
  if (isModelClass(className)) {
    const inner = readTopology(className, layer.config);
    const context = { builder, kerasMajor, prefix: `${prefix}${name}/`, depth: depth + 1 };
    return runModel(inner, weights.model(), inputs, context);
  }
  const known = isHgqModule(layer.module) ? hgqLayers : layers;
  const translate = Object.hasOwn(known, className) ? known[className] : undefined;
  if (!translate)
    throw fail("MODEL_INVALID", `${whereOf(name)} is an input in the middle of the model.`);
  const emit = builder.scope(`${prefix}${name}`);
  return [translate({ fields, inputs, weights, emit, where: whereOf(name), kerasMajor })];
}

const datatypes: Readonly<Record<string, Datatype>> = {
  float32: "FP32",
  int32: "INT32",
  int64: "INT64",
  uint8: "UINT8",
  bool: "BOOL",
};

/** The inputs of the whole model, by the names of their layers. */
function inputsOf(model: ModelConfig): (TensorSpec & Value)[] {
  if (model.kind === "sequential") return [sequentialInput(model)];
  return model.inputs.map(({ layer: name }) => {
    const layer = model.layers.find((each) => each.name === name);
    if (!layer) throw fail("MODEL_INVALID", `Input ${quoted(name)} is no layer of the model.`);
    return inputOf(name, layer.fields);
  });
}

function sequentialInput(model: ModelConfig): TensorSpec & Value {
  const [first] = model.layers;
  if (!first) throw fail("MODEL_INVALID", "The model has no layers.");
  if (first.className === "InputLayer") return inputOf(first.name, first.fields);
  if (isModelClass(first.className)) {
    const [inner] = inputsOf(readTopology(first.className, first.config));
    if (inner) return inner;
  }
  // Older files give the shape to the first layer, newer ones to the model.
  const ofLayer = first.fields.raw("batch_input_shape");
  if (ofLayer !== undefined) {
    const dtype = first.className === "Embedding" ? "float32" : first.fields.raw("dtype");
    return inputFrom(`${first.name}_input`, ofLayer, typeof dtype === "string" ? dtype : "float32");
  }
  return inputFrom("input_layer", model.fields.raw("build_input_shape"), "float32");
}

function inputOf(name: string, fields: Fields): TensorSpec & Value {
  if (fields.flag("sparse", false) || fields.flag("ragged", false)) {
    throw fail(
      "MODEL_UNSUPPORTED",
      `Input ${quoted(name)} is sparse or ragged, not a plain tensor.`,
    );
  }
  const shape = fields.raw("batch_shape") ?? fields.raw("batch_input_shape");
  const dtype = fields.raw("dtype") ?? "float32";
  return inputFrom(name, shape, typeof dtype === "string" ? dtype : "unknown");
}

function inputFrom(name: string, given: unknown, dtype: string): TensorSpec & Value {
  const datatype = Object.hasOwn(datatypes, dtype) ? datatypes[dtype] : undefined;
  if (!datatype) {
    throw fail(
      "MODEL_UNSUPPORTED",
      `Input ${quoted(name)} is of type ${quoted(dtype)}, which is not read here.`,
    );
  }
  if (!Array.isArray(given) || given.length < 1 || given.length > limits.rank) {
    throw fail("MODEL_SHAPE_INVALID", `Input ${quoted(name)} has no usable shape.`, {
      hint: "Build the model, or start it with keras.Input, before it is saved.",
    });
  }
  const shape = given.map((size: unknown) => {
    if (size === null) return -1;
    if (typeof size === "number" && Number.isSafeInteger(size) && size >= 1) return size;
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Input ${quoted(name)} has a dimension of size ${String(size)}.`,
    );
  });
  const row = shape.slice(1).reduce((product, size) => product * BigInt(Math.abs(size)), 1n);
  if (row > BigInt(limits.rowElements)) {
    throw fail(
      "MODEL_TOO_COMPLEX",
      `Input ${quoted(name)} of shape ${shapeInWords(shape)} is too large for a tensor.`,
    );
  }
  return { name, datatype, shape };
}

/** Results are called like the layers that make them. */
function outputNames(model: ModelConfig): string[] {
  const last = model.layers.at(-1)?.name ?? "output";
  const names = model.kind === "sequential" ? [last] : model.outputs.map(({ layer }) => layer);
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name}_${index}`));
}
