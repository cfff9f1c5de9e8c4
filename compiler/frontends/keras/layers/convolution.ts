import { fail } from "@/lib/common/errors";
import type { Value } from "../builder";
import {
  activated,
  channelsOf,
  type LayerCall,
  type LayerTranslator,
  spatialInput,
  unsupported,
} from "./call";
import { type Window, windowAttributes, windowShape } from "./window";

/** A kernel in Keras's order: window, channels in, channels out. */
interface Kernel {
  readonly window: Window;
  readonly values: Float64Array;
  /** Input channels that one output sees. */
  readonly depth: number;
  readonly filters: number;
  readonly groups: number;
  readonly bias: Float64Array | null;
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, each) => product * each, 1);

function windowOf({ fields }: LayerCall, axes: number): Window {
  return {
    kernel: fields.counts("kernel_size", axes),
    strides: fields.counts("strides", axes, 1),
    dilations: fields.counts("dilation_rate", axes, 1),
    padding: fields.text("padding", "valid"),
  };
}

/** Convolution over one or two axes. */
export const convolution =
  (axes: number): LayerTranslator =>
  (call) => {
    const { fields, weights } = call;
    const input = spatialInput(call, axes);
    const window = checked(call, windowOf(call, axes));
    const groups = fields.count("groups", 1);
    const filters = fields.count("filters");
    const depth = channelsOf(call, input) / groups;
    if (!Number.isInteger(depth) || filters % groups !== 0) {
      throw fail(
        "MODEL_SHAPE_INVALID",
        `${call.where} cannot split its channels into ${groups} groups.`,
      );
    }
    const hasBias = fields.flag("use_bias", true);
    const [values, bias] = weights.read([
      [...window.kernel, depth, filters],
      ...(hasBias ? [[filters]] : []),
    ]);
    return activated(
      call,
      convolve(call, input, {
        window,
        values: values ?? empty,
        depth,
        filters,
        groups,
        bias: bias ?? null,
      }),
    );
  };

/** Each channel by itself. Keras numbers the results channel by channel, as grouped convolution does. */
export const depthwiseConvolution =
  (axes: number): LayerTranslator =>
  (call) => {
    const { fields, weights } = call;
    const input = spatialInput(call, axes);
    const window = checked(call, windowOf(call, axes));
    const channels = channelsOf(call, input);
    const multiplier = fields.count("depth_multiplier", 1);
    const filters = channels * multiplier;
    const [values, bias] = weights.read([
      [...window.kernel, channels, multiplier],
      ...(fields.flag("use_bias", true) ? [[filters]] : []),
    ]);
    return activated(
      call,
      convolve(call, input, {
        window,
        values: values ?? empty,
        depth: 1,
        filters,
        groups: channels,
        bias: bias ?? null,
      }),
    );
  };

/** Each channel by itself, then all channels at each place. */
export const separableConvolution =
  (axes: number): LayerTranslator =>
  (call) => {
    const { fields, weights } = call;
    const input = spatialInput(call, axes);
    const window = checked(call, windowOf(call, axes));
    const channels = channelsOf(call, input);
    const multiplier = fields.count("depth_multiplier", 1);
    const between = channels * multiplier;
    const filters = fields.count("filters");
    const ones = Array<number>(axes).fill(1);
    const [deep, across, bias] = weights.read([
      [...window.kernel, channels, multiplier],
      [...ones, between, filters],
      ...(fields.flag("use_bias", true) ? [[filters]] : []),
    ]);
    const middle = convolve(call, input, {
      window,
      values: deep ?? empty,
      depth: 1,
      filters: between,
      groups: channels,
      bias: null,
    });
    return activated(
      call,
      convolve(call, middle, {
        window: { kernel: ones, strides: ones, dilations: ones, padding: "valid" },
        values: across ?? empty,
        depth: between,
        filters,
        groups: 1,
        bias: bias ?? null,
      }),
    );
  };

const empty = new Float64Array();

function checked(call: LayerCall, window: Window): Window {
  const all = [...window.kernel, ...window.strides, ...window.dilations];
  if (all.some((each) => each < 1)) throw unsupported(call, "moves by steps of 0");
  return window;
}

function convolve(call: LayerCall, input: Value, kernel: Kernel): Value {
  const { emit } = call;
  const { window, depth, filters, groups, bias } = kernel;
  const first = emit.channelsFirst(input);
  const weight = emit.weight("kernel", [filters, depth, ...window.kernel], byFilter(kernel));
  const offset = bias && emit.weight("bias", [filters], bias);
  return emit.channelsLast(
    emit.add("Conv", {
      inputs: [first, weight, ...(offset ? [offset] : [])],
      shape: [input.shape[0] ?? -1, filters, ...windowShape(call, input, window)],
      attributes: { ...windowAttributes(call, input, window), group: groups },
    }),
  );
}

/**
 * The kernel in ONNX's order: channels out, channels in, window. A kernel per channel lies as
 * `[window, channel, multiplier]`, which is that order too once channel and multiplier are read as one axis.
 */
function byFilter({ window, values, depth, filters }: Kernel): Float64Array {
  const area = sizeOf(window.kernel);
  const result = new Float64Array(values.length);
  for (let place = 0; place < area; place += 1) {
    for (let channel = 0; channel < depth; channel += 1) {
      for (let filter = 0; filter < filters; filter += 1) {
        result[(filter * depth + channel) * area + place] =
          values[(place * depth + channel) * filters + filter] ?? 0;
      }
    }
  }
  return result;
}
