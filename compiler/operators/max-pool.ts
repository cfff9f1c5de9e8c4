import { refuse } from "../graph/refuse";
import { windowOf } from "../graph/window-of";
import { append, type NodeView } from "../model/maps/chain";
import { newValue, type Value, viewOf } from "../model/maps/value";
import type { Operator } from "./operator";
import { pooled } from "./pooled";
import { imageShape, kernelOf } from "./windows";

function read({ node, chain, value }: NodeView): Value {
  const own = value(0);
  const input = viewOf(own, node);
  const dimensions = own.shape.length - 1;
  const kernel = kernelOf(node, input, dimensions);
  if ((node.outputs[1] ?? "") !== "") throw refuse(node, "gives places besides values");
  const placed = windowOf(node, input, kernel, dimensions);
  const output = { height: placed.height, width: placed.width, channels: input.channels };
  const layer = append(chain, {
    kind: "max-pool",
    name: node.name,
    from: own.layer,
    input,
    output,
    window: placed.window,
  });
  return newValue(layer, output, imageShape(input.channels, placed, dimensions));
}

/** `MaxPool` and `GlobalMaxPool`. */
export const maxPool: Operator = {
  evaluate: (each) => pooled(each, (values) => Math.max(...values)),
  read,
  isLayer: true,
};
