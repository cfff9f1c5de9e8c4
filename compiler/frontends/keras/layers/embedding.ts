import { anyInput, type LayerTranslator, unsupported } from "./call";

/** A row of a table for each number. */
export const embedding: LayerTranslator = (call) => {
  const { fields, weights, emit } = call;
  if (fields.flag("mask_zero", false)) throw unsupported(call, "masks zeros");
  if (fields.raw("quantization_config") !== undefined) throw unsupported(call, "is quantised");
  const input = anyInput(call);
  const [rows, width] = [fields.count("input_dim"), fields.count("output_dim")];
  const [table = new Float64Array()] = weights.read([[rows, width]]);
  const indices =
    input.datatype === "INT32" || input.datatype === "INT64"
      ? input
      : emit.add("Cast", {
          inputs: [input],
          shape: input.shape,
          datatype: "INT64",
          attributes: { to: 7 },
        });
  return emit.add("Gather", {
    inputs: [emit.weight("table", [rows, width], table), indices],
    shape: [...input.shape, width],
    attributes: { axis: 0 },
  });
};
