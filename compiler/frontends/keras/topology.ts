import { fail } from "@/lib/common/errors";
import { quoted } from "../../graph/words";
import { type Fields, fieldsOf, isJson, type Json } from "./fields";
import { limits } from "./limits";

/** Result `output` of use `use` of a layer. */
export interface TensorRef {
  readonly layer: string;
  readonly use: number;
  readonly output: number;
}

/** A layer as the file describes it. */
export interface LayerConfig {
  readonly name: string;
  readonly className: string;
  /** Where the class comes from; undefined in older files. */
  readonly module: unknown;
  readonly registeredName: unknown;
  readonly config: Json;
  readonly fields: Fields;
  /** What each use of the layer is given; empty for inputs, and for all layers of a sequence. */
  readonly uses: readonly (readonly TensorRef[])[];
}

/** A model as the file describes it: layers and how they are joined. */
export interface ModelConfig {
  readonly kind: "sequential" | "functional";
  readonly name: string;
  readonly layers: readonly LayerConfig[];
  readonly inputs: readonly TensorRef[];
  readonly outputs: readonly TensorRef[];
  readonly fields: Fields;
}

/** A layer as people say it: "Layer `dense`". */
export const whereOf = (name: string): string => `Layer ${quoted(name)}`;

/** Whether a class is a model made of layers. */
export function isModelClass(className: string): boolean {
  return ["Sequential", "Functional", "Model"].includes(className);
}

/**
 * Reads the configuration of a model: `{class_name, config: {layers, …}}`.
 *
 * @throws {AppError} `MODEL_INVALID`, `MODEL_UNSUPPORTED` for models that are Python classes of their own.
 */
export function readTopology(className: string, config: unknown): ModelConfig {
  const fields = fieldsOf("The model", config);
  const list = fields.raw("layers");
  if (!isModelClass(className) || !Array.isArray(list)) {
    throw fail(
      "MODEL_UNSUPPORTED",
      `The model is of class ${quoted(className)}, not a Sequential or Functional model.`,
      { hint: "A model written as a Python class has no layers in its file: export it to ONNX." },
    );
  }
  if (list.length > limits.layers) {
    throw fail("MODEL_TOO_COMPLEX", `The model has ${list.length.toLocaleString("en")} layers.`);
  }
  const layers = list.map(readLayer);
  const names = new Set(layers.map(({ name }) => name));
  if (names.size < layers.length) throw fail("MODEL_INVALID", "Two layers have the same name.");
  const kind = className === "Sequential" ? "sequential" : "functional";
  return {
    kind,
    name: fields.text("name", "model"),
    layers,
    inputs: kind === "functional" ? refsOf(fields.raw("input_layers"), "input_layers") : [],
    outputs: kind === "functional" ? refsOf(fields.raw("output_layers"), "output_layers") : [],
    fields,
  };
}

function readLayer(json: unknown, index: number): LayerConfig {
  const outer = fieldsOf("A layer", json);
  const config = outer.raw("config");
  const inner = isJson(config) ? config : {};
  const name = outer.text("name", fieldsOf("A layer", inner).text("name", `layer_${index}`));
  const where = whereOf(name);
  return {
    name,
    className: fieldsOf(where, json).text("class_name"),
    module: outer.raw("module"),
    registeredName: outer.raw("registered_name"),
    config: inner,
    fields: fieldsOf(where, inner),
    uses: usesOf(outer.raw("inbound_nodes"), where),
  };
}

/** Keras 2 writes each use as a list of `[layer, use, output, {}]`, Keras 3 as the arguments of a call. */
function usesOf(nodes: unknown, where: string): TensorRef[][] {
  if (nodes === undefined) return [];
  if (!Array.isArray(nodes)) throw fail("MODEL_INVALID", `${where} has no usable inbound_nodes.`);
  return nodes.map((node: unknown): TensorRef[] => {
    if (!isJson(node)) return refsOf(node, "inbound_nodes");
    const given = refsWithin(node["kwargs"], 0);
    if (given.length > 0) {
      throw fail(
        "OPERATOR_UNSUPPORTED",
        `${where} is given tensors by name (mask, state), which is not read here.`,
      );
    }
    refuseWishes(node["kwargs"], where);
    return refsWithin(node["args"], 0);
  });
}

/** What a call asks for by name, such as a causal mask, would change what a layer computes. */
function refuseWishes(named: unknown, where: string): void {
  if (!isJson(named)) return;
  const wish = Object.keys(named).find((key) => key !== "training" && named[key] === true);
  if (wish === undefined) return;
  throw fail(
    "OPERATOR_UNSUPPORTED",
    `${where} is called with ${quoted(wish)}, which is not read here.`,
    { hint: "Change the layer, or export the model to ONNX." },
  );
}

/** Tensors of a call's arguments, in their order. */
function refsWithin(value: unknown, depth: number): TensorRef[] {
  if (depth > limits.depth)
    throw fail("MODEL_TOO_COMPLEX", "The model's connections are nested too deeply.");
  if (Array.isArray(value)) return value.flatMap((each: unknown) => refsWithin(each, depth + 1));
  if (!isJson(value)) return [];
  const { class_name, config } = value;
  if (class_name === "__keras_tensor__" && isJson(config)) {
    return refsOf(config["keras_history"], "keras_history");
  }
  return Object.values(value).flatMap((each) => refsWithin(each, depth + 1));
}

/** `["dense", 0, 0]`, a list of such, or an object of such. */
function refsOf(value: unknown, key: string): TensorRef[] {
  if (isJson(value)) return Object.values(value).flatMap((each) => refsOf(each, key));
  if (!Array.isArray(value)) throw fail("MODEL_INVALID", `The model has no usable ${quoted(key)}.`);
  const list: readonly unknown[] = value;
  const [layer, use, output, named] = list;
  if (typeof layer !== "string") {
    if (value.some((each) => !Array.isArray(each) && !isJson(each))) {
      throw fail("MODEL_INVALID", `The model has no usable ${quoted(key)}.`);
    }
    return value.flatMap((each: unknown) => refsOf(each, key));
  }
  if (!isCount(use) || !isCount(output)) {
    throw fail("MODEL_INVALID", `The model has no usable ${quoted(key)}.`);
  }
  refuseWishes(named, whereOf(layer));
  if (isJson(named) && Object.values(named).some(Array.isArray)) {
    throw fail(
      "OPERATOR_UNSUPPORTED",
      "A layer is given tensors by name (mask, state), which is not read here.",
    );
  }
  return [{ layer, use, output }];
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
