import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { type Evaluation, numberOf, type Operator, sizeOf } from "./operator";

/** One value around a tensor. @see ONNX operator Pad: `pads` are all beginnings, then all ends. */
function evaluate({ node, input, optional }: Evaluation): RealTensor {
  const { shape, values } = input(0);
  const pads = Array.from(optional(1)?.values ?? [node.attributes["pads"] ?? []].flat(), Number);
  if ((node.attributes["mode"] ?? "constant") !== "constant" || node.inputs[3]) {
    throw refuse(node, "pads with more than a constant");
  }
  const sizes = shape.map(
    (size, axis) => size + (pads[axis] ?? 0) + (pads[axis + shape.length] ?? 0),
  );
  const value = optional(2)?.values[0] ?? numberOf(node, "value", 0);
  const result = new Float64Array(sizeOf(sizes)).fill(value);
  for (let from = 0; from < values.length; from++) {
    let rest = from;
    let at = 0;
    let stride = 1;
    let isInside = true;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      const place = (rest % size) + (pads[axis] ?? 0);
      isInside &&= place >= 0 && place < (sizes[axis] ?? 1);
      at += place * stride;
      stride *= sizes[axis] ?? 1;
      rest = Math.floor(rest / size);
    }
    if (isInside) result[at] = values[from] ?? 0;
  }
  return { shape: sizes, values: result };
}

/** Read as part of the convolution behind it: `reader/merge-pads.ts`. */
export const pad: Operator = { evaluate };
