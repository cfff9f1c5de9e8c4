import type { Value } from "../builder";
import { type LayerCall, unsupported } from "./call";

/** How a kernel moves over one to two axes. */
export interface Window {
  readonly kernel: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  /** `valid`, `same`, or `causal`: all padding before. */
  readonly padding: string;
}

/** @param input With channels last. */
export function windowShape(call: LayerCall, input: Value, window: Window): number[] {
  return window.kernel.map((_, axis) => {
    const size = input.shape[axis + 1] ?? -1;
    if (size < 0) return -1;
    const stride = window.strides[axis] ?? 1;
    if (window.padding !== "valid") return Math.ceil(size / stride);
    const result = Math.floor((size - reach(window, axis)) / stride) + 1;
    if (result < 1) throw unsupported(call, "has a kernel larger than its input");
    return result;
  });
}

/** Elements that the kernel spans along an axis. */
const reach = ({ kernel, dilations }: Window, axis: number): number =>
  ((kernel[axis] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;

/** Padding as ONNX wants it: all beginnings, then all ends; `same` puts the odd one at the end. */
export function windowAttributes(call: LayerCall, input: Value, window: Window) {
  const { kernel, strides, dilations, padding } = window;
  const each = kernel.map((_, axis): readonly [number, number] => {
    if (padding === "valid") return [0, 0];
    const spans = reach(window, axis);
    if (padding === "causal") return [spans - 1, 0];
    if (padding !== "same") throw unsupported(call, `pads as ${padding}`);
    const size = input.shape[axis + 1] ?? -1;
    const stride = strides[axis] ?? 1;
    // With a stride of 1 the padding is the same whatever the size.
    if (size < 0 && stride !== 1) throw unsupported(call, "pads an axis of free size");
    const total =
      size < 0 ? spans - 1 : Math.max(0, (Math.ceil(size / stride) - 1) * stride + spans - size);
    return [Math.floor(total / 2), Math.ceil(total / 2)];
  });
  return {
    kernel_shape: kernel,
    strides,
    dilations,
    pads: [...each.map(([before]) => before), ...each.map(([, after]) => after)],
  };
}
