import { hgqDomain } from "../../../graph/hgq-layer";
import { anyInput, channelsOf, type LayerCall, type LayerTranslator, onlyInput } from "./call";

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

/** A matrix whose quantisers lie in groups beside it. Its weights are those that training moved, before any rounding. */
const quantizedDense =
  (operator: string): LayerTranslator =>
  (call) => {
    const { fields, weights, emit } = call;
    const input = onlyInput(call);
    const size = channelsOf(call, input);
    const units = fields.count("units");
    const own = [[size, units], ...(fields.flag("use_bias", true) ? [[units]] : [])];
    // Behind them are numbers that only training needs.
    const others = Array<null>(Math.max(0, weights.count - own.length)).fill(null);
    const [matrix = new Float64Array(), bias] = weights.read([...own, ...others]);
    const isBiased = own.length > 1;
    return opaque(call, operator, {
      inputs: [
        input,
        emit.weight("kernel", [size, units], matrix),
        ...(isBiased && bias ? [emit.weight("bias", [units], bias)] : []),
      ],
      shape: [...input.shape.slice(0, -1), units],
    });
  };

/** What looks at each element alone. */
const elementwise =
  (operator: string): LayerTranslator =>
  (call) => {
    const input = anyInput(call);
    return opaque(call, operator, { inputs: [input], shape: input.shape });
  };

/** Layers of HGQ2 that are read, by its own names: as much as tells shapes and sizes. What they compute is never run here. */
export const hgqLayers: Readonly<Record<string, LayerTranslator>> = {
  QDense: quantizedDense("QDense"),
  Quantizer: elementwise("Quantizer"),
  QUnaryFunctionLUT: elementwise("QUnaryFunctionLUT"),
};

/** Whether a layer is one of HGQ2's, by where its class is said to come from. */
export const isHgqModule = (module: unknown): boolean =>
  typeof module === "string" && /^hgq(\.[a-z_]+)*$/.test(module);
