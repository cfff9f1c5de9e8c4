import { quantizedGraph, type Stop } from "../compiler/quantized-graph";
import type { Draw } from "./draw";
import type { DrawnGraph } from "./types";

/** Models that say their own bits, with and without functions between the layers. */
export function drawQuantized(draw: Draw): DrawnGraph {
  const sizes = Array.from({ length: draw.integer(2, 5) }, () => draw.integer(1, 8));
  const between = sizes.slice(1).map(() => draw.pick([null, "Relu", "Relu", "Tanh", "Sigmoid"]));
  const stop = (): Stop => {
    const type = draw.pick(["UINT8", "INT8"] as const);
    return {
      type,
      zero: draw.pick([0, 0, type === "UINT8" ? 128 : 3]),
      fraction: draw.integer(2, 7),
    };
  };
  const stops = sizes
    .slice(1)
    .map((_, index) => (index === sizes.length - 2 && draw.chance(0.5) ? null : stop()));
  const input = stop();
  const weightZero = draw.pick([0, 0, 2]);
  return {
    about: `quantised ${sizes.join("-")} ${between.join(" ")}`,
    graph: quantizedGraph({
      sizes,
      input,
      stops,
      between,
      weightZero,
      perChannel: draw.chance(0.5),
      floatBias: draw.chance(0.2),
      seed: draw.integer(1, 1e9),
    }),
  };
}
