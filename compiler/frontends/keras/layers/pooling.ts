import { type LayerTranslator, onlyInput, spatialInput } from "./call";
import { type Window, windowAttributes, windowShape } from "./window";

/** The largest or the mean of each window; padding never counts. */
export const pooling =
  (operator: "MaxPool" | "AveragePool", axes: number): LayerTranslator =>
  (call) => {
    const { fields, emit } = call;
    const input = spatialInput(call, axes);
    const kernel = fields.counts("pool_size", axes, 2);
    const window: Window = {
      kernel,
      strides: fields.raw("strides") === undefined ? kernel : fields.counts("strides", axes),
      dilations: kernel.map(() => 1),
      padding: fields.text("padding", "valid"),
    };
    if ([...kernel, ...window.strides].some((each) => each < 1)) {
      throw fields.refuse("pool_size", "is 0");
    }
    const { dilations: _, ...attributes } = windowAttributes(call, input, window);
    return emit.channelsLast(
      emit.add(operator, {
        inputs: [emit.channelsFirst(input)],
        shape: [
          input.shape[0] ?? -1,
          input.shape.at(-1) ?? -1,
          ...windowShape(call, input, window),
        ],
        attributes,
      }),
    );
  };

/** The largest or the mean of each channel. */
export const globalPooling =
  (operator: "ReduceMax" | "ReduceMean", axes: number): LayerTranslator =>
  (call) => {
    const { fields, emit } = call;
    const input = axes === 0 ? onlyInput(call) : spatialInput(call, axes);
    const keeps = fields.flag("keepdims", false);
    const [batch = -1, ...rest] = input.shape;
    const channels = rest.at(-1) ?? -1;
    return emit.add(operator, {
      inputs: [input],
      shape: [batch, ...(keeps ? Array<number>(axes).fill(1) : []), channels],
      attributes: {
        axes: Array.from({ length: axes }, (_, axis) => axis + 1),
        keepdims: keeps ? 1 : 0,
      },
    });
  };
