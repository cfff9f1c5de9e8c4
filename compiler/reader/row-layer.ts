import { type ConvolutionLayer, type RawLayer, rowView } from "../model/maps/layers";

/** Whether a layer sums all values of a row, each output its own way. */
export const isRowLayer = (layer: RawLayer | undefined): layer is ConvolutionLayer =>
  layer?.kind === "convolution" &&
  layer.groups === 1 &&
  layer.weights.length === layer.input.channels * layer.output.channels &&
  [layer.input, layer.output].every(({ height, width }) => height === 1 && width === 1);

/**
 * The layer over a whole row of so many values: those that it does not read have weights of 0.
 *
 * @param at Where in that row the row begins that the layer reads.
 */
export function overRow(layer: ConvolutionLayer, size: number, at = 0): ConvolutionLayer {
  const { input, output, weights } = layer;
  const { channels } = input;
  const first = at + (input.first ?? 0);
  if (first === 0 && channels === size) return layer;
  const wide = new Float64Array(output.channels * size);
  for (let each = 0; each < output.channels; each++) {
    wide.set(weights.subarray(each * channels, (each + 1) * channels), each * size + first);
  }
  return { ...layer, input: rowView(0, size), weights: wide };
}
