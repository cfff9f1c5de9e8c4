import { fail } from "@/lib/common/errors";
import { hgqDomain } from "../../../graph/hgq-layer";
import type { Value } from "../builder";
import {
  anyInput,
  channelsOf,
  type LayerCall,
  type LayerTranslator,
  onlyInput,
  spatialInput,
} from "./call";
import { windowShape } from "./window";

const opaque = (
  { emit, fields }: LayerCall,
  operator: string,
  node: Omit<Parameters<LayerCall["emit"]["add"]>[1], "domain" | "attributes">,
) => {
  const activation = fields.raw("activation");
  return emit.add(operator, {
    ...node,
    domain: hgqDomain,
    ...(typeof activation === "string" ? { attributes: { activation } } : {}),
  });
};

/** A node with a matrix. Its weights are those that training moved, before any rounding. */
function quantizedProduct(
  call: LayerCall,
  operator: string,
  { input, kernel, matrix, bias, shape }: Product,
): Value {
  const { weights, emit } = call;
  const own = [kernel, ...(bias ? [[bias]] : [])];
  // Behind them are numbers that only training needs.
  const others = Array<null>(Math.max(0, weights.count - own.length)).fill(null);
  const [values = new Float64Array(), offset] = weights.read([...own, ...others]);
  return opaque(call, operator, {
    inputs: [
      input,
      emit.weight("kernel", matrix, values),
      ...(bias && offset ? [emit.weight("bias", [bias], offset)] : []),
    ],
    shape,
  });
}

interface Product {
  readonly input: Value;
  /** As the file has it. */
  readonly kernel: readonly number[];
  /** What one output is a sum of, by outputs. */
  readonly matrix: readonly [number, number];
  /** How many biases there are; null: none are read. */
  readonly bias: number | null;
  readonly shape: readonly number[];
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, each) => product * each, 1);

/** A matrix whose quantisers lie in groups beside it. */
const quantizedDense =
  (operator: string): LayerTranslator =>
  (call) => {
    const { fields } = call;
    const input = onlyInput(call);
    const size = channelsOf(call, input);
    const units = fields.count("units");
    const shape = [...input.shape.slice(0, -1), units];
    const bias = fields.flag("use_bias", true) ? units : null;
    const kernel = [size, units] as const;
    return quantizedProduct(call, operator, { input, kernel, matrix: kernel, bias, shape });
  };

const quantizedConvolution =
  (operator: string, axes: number): LayerTranslator =>
  (call) => {
    const { fields } = call;
    const input = spatialInput(call, axes);
    const window = {
      kernel: fields.counts("kernel_size", axes),
      strides: fields.counts("strides", axes, 1),
      dilations: fields.counts("dilation_rate", axes, 1),
      padding: fields.text("padding", "valid"),
    };
    const filters = fields.count("filters");
    const depth = channelsOf(call, input) / fields.count("groups", 1);
    return quantizedProduct(call, operator, {
      input,
      kernel: [...window.kernel, depth, filters],
      matrix: [sizeOf(window.kernel) * depth, filters],
      bias: fields.flag("use_bias", true) ? filters : null,
      shape: [input.shape[0] ?? -1, ...windowShape(call, input, window), filters],
    });
  };

/** The equation's letters have sizes from the input and the shape that the layer says it answers. */
const quantizedEinsum =
  (operator: string): LayerTranslator =>
  (call) => {
    const { fields, where } = call;
    const input = onlyInput(call);
    const equation = fields.text("equation");
    const [, left = "", right = "", result = ""] =
      /^([a-z]+),([a-z]+)->([a-z]+)$/.exec(equation) ?? [];
    const said = fields.raw("output_shape");
    const shape = [input.shape[0] ?? -1, ...(Array.isArray(said) ? said : [said])].map((size) =>
      typeof size === "number" ? size : -1,
    );
    const sizes = new Map<string, number>();
    for (const [letters, of] of [
      [left, input.shape],
      [result, shape],
    ] as const) {
      if (letters.length !== of.length) {
        throw fail(
          "MODEL_SHAPE_INVALID",
          `${where} has an equation that does not go with its shapes.`,
        );
      }
      for (const [at, letter] of [...letters].entries()) sizes.set(letter, of[at] ?? -1);
    }
    const kernel = [...right].map((letter) => sizes.get(letter) ?? -1);
    const outputs = sizeOf(kernel.filter((_, at) => result.includes(right[at] ?? "")));
    if (kernel.some((size) => size < 1)) {
      throw fail("MODEL_SHAPE_INVALID", `${where} has weights of a free size.`);
    }
    const matrix = [sizeOf(kernel) / outputs, outputs] as const;
    return quantizedProduct(call, operator, { input, kernel, matrix, bias: null, shape });
  };

const quantizedPooling =
  (operator: string, axes: number): LayerTranslator =>
  (call) => {
    const { fields } = call;
    const input = spatialInput(call, axes);
    const kernel = fields.counts("pool_size", axes, 2);
    const window = {
      kernel,
      strides: fields.raw("strides") === undefined ? kernel : fields.counts("strides", axes),
      dilations: kernel.map(() => 1),
      padding: fields.text("padding", "valid"),
    };
    const shape = [input.shape[0] ?? -1, ...windowShape(call, input, window)];
    return opaque(call, operator, { inputs: [input], shape: [...shape, channelsOf(call, input)] });
  };

/** What looks at each element alone, or at all of a row without changing how many there are. */
const elementwise =
  (operator: string): LayerTranslator =>
  (call) => {
    const input = anyInput(call);
    return opaque(call, operator, { inputs: [input], shape: input.shape });
  };

/** Two values of one shape, element by element. */
const merging =
  (operator: string): LayerTranslator =>
  (call) => {
    const [first, ...others] = call.inputs;
    if (!first || others.some(({ shape }) => shape.join() !== first.shape.join()))
      throw fail("MODEL_SHAPE_INVALID", `${call.where} takes values of one shape.`);
    return opaque(call, operator, { inputs: call.inputs, shape: first.shape });
  };

const named = (
  make: (name: string) => LayerTranslator,
  ...names: string[]
): Readonly<Record<string, LayerTranslator>> =>
  Object.fromEntries(names.map((name) => [name, make(name)]));

/** Layers of HGQ2 that are read, by its own names: as much as tells shapes and sizes. What they compute is never run here. */
export const hgqLayers: Readonly<Record<string, LayerTranslator>> = {
  ...named(quantizedDense, "QDense", "QBatchNormDense"),
  ...named(quantizedEinsum, "QEinsumDense", "QEinsumDenseBatchnorm"),
  ...named((name) => quantizedConvolution(name, 1), "QConv1D"),
  ...named((name) => quantizedConvolution(name, 2), "QConv2D"),
  ...named((name) => quantizedPooling(name, 1), "QMaxPooling1D", "QAveragePooling1D"),
  ...named((name) => quantizedPooling(name, 2), "QMaxPooling2D", "QAveragePooling2D"),
  ...named(merging, "QAdd", "QSubtract", "QMaximum", "QMinimum"),
  ...named(elementwise, "Quantizer", "QUnaryFunctionLUT", "QBatchNormalization"),
};

/** Whether a layer is one of HGQ2's, by where its class is said to come from. */
export const isHgqModule = (module: unknown): boolean =>
  typeof module === "string" && /^hgq(\.[a-z_]+)*$/.test(module);
