import type { Layer } from "../../integer/layers";
import type { Network, Signal, Value } from "./network";
import { roundingOf } from "./rounding";

/**
 * Proves without simulation that a layer's adders sum what its weights say: every signal is evaluated as integer
 * coefficients of the layer's inputs, and the sums are compared with weights, bias and rounding.
 *
 * @throws {RangeError} naming the first sum that differs.
 */
export function proveLayer(
  network: Network,
  index: number,
  { dense, requantize }: Pick<Layer, "dense" | "requantize">,
): void {
  const layer = network.layers[index];
  if (!layer) throw new RangeError(`The network has no layer ${index}.`);
  const forms = formsOf(network.signals, layer.inputs);
  for (const [output, sum] of layer.sums.entries()) {
    if (!sum) continue;
    const got =
      sum.kind === "constant"
        ? constantForm(layer.inputs.length, sum.constant)
        : formOf(sum, forms);
    const offset = (dense.bias[output] ?? 0) + roundingOf(requantize, output);
    const wanted = constantForm(layer.inputs.length, offset);
    for (const [input, value] of layer.inputs.entries()) {
      const weight = dense.weights[output * dense.inputSize + input] ?? 0;
      wanted[layer.inputs.length] = (wanted[layer.inputs.length] ?? 0) + weight * value.constant;
      if (value.kind === "term") wanted[input] = weight;
    }
    if (got.every((value, place) => value === wanted[place])) continue;
    throw new RangeError(`${dense.name}: the adders of output ${output} are not its weights.`);
  }
}

/** Coefficients of the layer's inputs, then the constant. */
type Form = Float64Array;

function constantForm(inputs: number, constant: number): Form {
  const form = new Float64Array(inputs + 1);
  form[inputs] = constant;
  return form;
}

function formsOf(signals: readonly Signal[], inputs: readonly Value[]): ReadonlyMap<number, Form> {
  const forms = new Map<number, Form>();
  for (const [input, value] of inputs.entries()) {
    if (value.kind !== "term") continue;
    const form = constantForm(inputs.length, 0);
    form[input] = 1;
    forms.set(value.term.signal, form);
  }
  for (const [id, signal] of signals.entries()) {
    if (signal.kind === "sum") {
      const left = forms.get(signal.left);
      const right = forms.get(signal.right);
      if (!left || !right) continue;
      const factor = (signal.negative ? -1 : 1) * 2 ** signal.shift;
      forms.set(
        id,
        left.map((value, place) => value + factor * (right[place] ?? 0)),
      );
    } else if (signal.kind === "biased") {
      const left = forms.get(signal.left);
      const right = forms.get(signal.right);
      if (!left || !right) continue;
      const form = left.map((value, place) => value + 2 ** signal.shift * (right[place] ?? 0));
      form[inputs.length] = (form[inputs.length] ?? 0) + signal.constant;
      forms.set(id, form);
    } else if (signal.kind === "offset") {
      const form = forms.get(signal.source)?.map((value) => (signal.negative ? -value : value));
      if (!form) continue;
      form[inputs.length] = (form[inputs.length] ?? 0) + signal.constant;
      forms.set(id, form);
    }
  }
  return forms;
}

function formOf(
  { term, constant }: Extract<Value, { kind: "term" }>,
  forms: ReadonlyMap<number, Form>,
): Form {
  const form = forms.get(term.signal);
  if (!form) throw new RangeError(`Signal ${term.signal} is no sum of the layer's inputs.`);
  const factor = (term.negative ? -1 : 1) * 2 ** term.shift;
  const scaled = form.map((value) => value * factor);
  const last = scaled.length - 1;
  scaled[last] = (scaled[last] ?? 0) + constant;
  return scaled;
}
