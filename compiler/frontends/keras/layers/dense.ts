import { activated, channelsOf, type LayerTranslator, onlyInput, unsupported } from "./call";

/** Multiplies the last axis by a matrix. */
export const dense: LayerTranslator = (call) => {
  const { fields, weights, emit } = call;
  if (fields.raw("quantization_config") !== undefined) throw unsupported(call, "is quantised");
  const input = onlyInput(call);
  const size = channelsOf(call, input);
  const units = fields.count("units");
  const [matrix = new Float64Array(), bias] = weights.read([
    [size, units],
    ...(fields.flag("use_bias", true) ? [[units]] : []),
  ]);
  const shape = [...input.shape.slice(0, -1), units];
  const product = emit.add("MatMul", {
    inputs: [input, emit.weight("kernel", [size, units], matrix)],
    shape,
  });
  const sum = bias
    ? emit.add("Add", { inputs: [product, emit.weight("bias", [units], bias)], shape })
    : product;
  return activated(call, sum);
};
