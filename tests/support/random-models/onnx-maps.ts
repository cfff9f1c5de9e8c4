import { drawActivation } from "./activations";
import type { Draw } from "./draw";
import { GraphBuilder } from "./graph-builder";
import type { DrawnGraph } from "./types";
import { drawKind, drawWeights, type WeightKind } from "./weights";

/** A value of feature maps, channels first. */
interface Maps {
  readonly value: string;
  readonly channels: number;
  readonly sizes: readonly number[];
}

/** What one operator is drawn with. */
interface Place {
  readonly draw: Draw;
  readonly builder: GraphBuilder;
  readonly kind: WeightKind;
}

const productOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1);

/** Convolutions, normalisation and pooling over small pictures or lines, and mostly a dense layer behind them. */
export function drawMaps(draw: Draw): DrawnGraph {
  const builder = new GraphBuilder();
  const kind = drawKind(draw);
  const place = { draw, builder, kind };
  const isLine = draw.chance(0.2);
  const sizes = Array.from({ length: isLine ? 1 : 2 }, () => draw.integer(3, 9));
  const channels = draw.pick([1, 1, 2, 3]);
  const channelsLast = !isLine && draw.chance(0.3);
  const shape = channelsLast ? [-1, ...sizes, channels] : [-1, channels, ...sizes];
  const first = channelsLast ? builder.node("Transpose", ["x"], { perm: [0, 3, 1, 2] }) : "x";
  const about = [`${kind} ${shape.join("x")}`];
  let maps: Maps = { value: first, channels, sizes };
  const depth = draw.integer(1, 5);
  for (let step = 0; step < depth; step++) {
    const name = step === 0 ? "Conv" : draw.pick(Object.keys(operators));
    maps = operators[name]?.(place, maps) ?? maps;
    about.push(`${name}:${maps.channels}x${maps.sizes.join("x")}`);
  }
  const end = drawEnd(place, maps);
  return {
    about: [...about, ...end.about].join(" "),
    graph: builder.graph(
      [{ name: "x", datatype: "FP32", shape }],
      [{ name: end.value, datatype: "FP32", shape: end.shape }],
    ),
  };
}

const operators: Readonly<Record<string, (place: Place, maps: Maps) => Maps>> = {
  Conv: drawConvolution,
  Relu: ({ builder }, maps) => ({ ...maps, value: builder.node("Relu", [maps.value]) }),
  Function: ({ draw, builder }, maps) => ({
    ...maps,
    value: drawActivation(draw, builder, maps.value).value,
  }),
  BatchNormalization: drawNormalisation,
  MaxPool: (place, maps) => drawPool(place, maps, "MaxPool"),
  AveragePool: (place, maps) => drawPool(place, maps, "AveragePool"),
  Residual: (place, maps) => {
    const other = drawConvolution(place, maps, true);
    return { ...maps, value: place.builder.node("Add", [maps.value, other.value]) };
  },
  Concat: (place, maps) => {
    const other = drawConvolution(place, maps, true);
    const value = place.builder.node("Concat", [maps.value, other.value], { axis: 1 });
    return { ...maps, value, channels: 2 * maps.channels };
  },
  Pad: ({ builder }, maps) => {
    const ends = [0, 0, ...maps.sizes.map(() => 1)];
    const pads = builder.constant([2 * ends.length], [...ends, ...ends], "INT64");
    const value = builder.node("Pad", [maps.value, pads, builder.constant([], [0])]);
    return { ...maps, value, sizes: maps.sizes.map((size) => size + 2) };
  },
  Scale: ({ draw, builder }, maps) => {
    const count = draw.chance(0.5) ? 1 : maps.channels;
    const shape = [count, ...maps.sizes.map(() => 1)];
    const values = Array.from({ length: count }, () => draw.pick([0.5, 2, -1, 0]));
    return { ...maps, value: builder.node("Mul", [maps.value, builder.constant(shape, values)]) };
  },
};

/** @param same Whether the result has the shape of what is read. */
function drawConvolution({ draw, builder, kind }: Place, maps: Maps, same = false): Maps {
  const { value, channels, sizes } = maps;
  const rank = sizes.length;
  const size = same ? draw.pick([1, 3]) : Math.min(draw.pick([1, 2, 3, 3]), ...sizes);
  const isDepthwise = !same && draw.chance(0.2);
  const outputs = same ? channels : isDepthwise ? channels * draw.pick([1, 2]) : draw.integer(1, 6);
  const pad = same ? (size - 1) / 2 : draw.chance(0.4) ? draw.integer(0, size - 1) : 0;
  const stride = same ? 1 : draw.pick([1, 1, 1, 2]);
  const span = Math.min(...sizes) + 2 * pad;
  const dilation = !same && draw.chance(0.15) && 2 * (size - 1) + 1 <= span ? 2 : 1;
  const reach = dilation * (size - 1) + 1;
  const groups = isDepthwise ? channels : 1;
  const fan = (channels / groups) * size ** rank;
  const weights = builder.constant(
    [outputs, channels / groups, ...sizes.map(() => size)],
    drawWeights(draw, outputs * fan, fan, kind),
  );
  const bias = draw.chance(0.7)
    ? [builder.constant([outputs], drawWeights(draw, outputs, 4, kind))]
    : [];
  return {
    value: builder.node("Conv", [value, weights, ...bias], {
      kernel_shape: sizes.map(() => size),
      strides: sizes.map(() => stride),
      dilations: sizes.map(() => dilation),
      pads: [...sizes, ...sizes].map(() => pad),
      group: groups,
    }),
    channels: outputs,
    sizes: sizes.map((each) => Math.floor((each + 2 * pad - reach) / stride) + 1),
  };
}

function drawNormalisation({ draw, builder, kind }: Place, maps: Maps): Maps {
  const { channels } = maps;
  const list = (value: () => number) =>
    builder.constant([channels], Float32Array.from({ length: channels }, value));
  const operands = [
    builder.constant([channels], drawWeights(draw, channels, 1, kind)),
    list(() => draw.normal()),
    list(() => draw.normal()),
    list(() => draw.pick([0, 1e-12, 0.5, 1, 2, 1e6])),
  ];
  const attributes = { epsilon: draw.pick([1e-5, 1e-3]) };
  return {
    ...maps,
    value: builder.node("BatchNormalization", [maps.value, ...operands], attributes),
  };
}

function drawPool({ draw, builder }: Place, maps: Maps, operator: string): Maps {
  const size = Math.min(draw.pick([2, 2, 3]), ...maps.sizes);
  const stride = draw.pick([size, size, 1]);
  const attributes = {
    kernel_shape: maps.sizes.map(() => size),
    strides: maps.sizes.map(() => stride),
  };
  return {
    ...maps,
    value: builder.node(operator, [maps.value], attributes),
    sizes: maps.sizes.map((each) => Math.floor((each - size) / stride) + 1),
  };
}

function drawEnd({ draw, builder, kind }: Place, { value, channels, sizes }: Maps) {
  const form = draw.pick(["Flatten", "Flatten", "Average", "Largest", "Mean", "Reshape", "Maps"]);
  if (form === "Maps") {
    return { value, shape: [-1, channels, ...sizes], about: [form] };
  }
  const isPooled = ["Average", "Largest", "Mean"].includes(form);
  const width = isPooled ? channels : channels * productOf(sizes);
  const axes = sizes.map((_, axis) => axis + 2);
  const flat =
    form === "Mean"
      ? builder.node("ReduceMean", [value], { axes, keepdims: 0 })
      : form === "Reshape"
        ? builder.node("Reshape", [value, builder.constant([2], [-1, width], "INT64")])
        : builder.node("Flatten", [pooled()], { axis: 1 });
  function pooled(): string {
    if (form === "Average") return builder.node("GlobalAveragePool", [value]);
    return form === "Largest" ? builder.node("GlobalMaxPool", [value]) : value;
  }
  const outputs = draw.pick([1, 2, 4]);
  const weights = builder.constant(
    [width, outputs],
    drawWeights(draw, width * outputs, width, kind),
  );
  const scores = builder.node("MatMul", [flat, weights]);
  const last = draw.pick(["None", "Softmax", "Sigmoid"]);
  return {
    value:
      last === "None"
        ? scores
        : builder.node(last, [scores], last === "Softmax" ? { axis: -1 } : {}),
    shape: [-1, outputs],
    about: [form, String(outputs), last],
  };
}
