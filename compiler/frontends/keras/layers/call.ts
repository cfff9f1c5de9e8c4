import { type AppError, fail } from "@/lib/common/errors";
import { counted, quoted, shapeInWords } from "../../../graph/words";
import { type Activation, activate } from "../activations";
import type { Emitter, Value } from "../builder";
import type { Fields } from "../fields";
import type { LayerWeights } from "../weights";

/** One use of one layer. */
export interface LayerCall extends Activation {
  readonly fields: Fields;
  readonly inputs: readonly Value[];
  readonly weights: LayerWeights;
  readonly emit: Emitter;
}

/** Adds what a layer computes to the graph and answers its result. */
export type LayerTranslator = (call: LayerCall) => Value;

/** `OPERATOR_UNSUPPORTED`. @param what As what follows the layer's name. */
export function unsupported({ where }: Pick<LayerCall, "where">, what: string): AppError {
  return fail("OPERATOR_UNSUPPORTED", `${where} ${what}, which is not read here.`, {
    hint: "Change the layer, or export the model to ONNX.",
  });
}

/** `MODEL_SHAPE_INVALID`. @param wants In words: what the layer takes. */
export function wrongShape(
  { where }: Pick<LayerCall, "where">,
  { shape }: Value,
  wants: string,
): AppError {
  return fail("MODEL_SHAPE_INVALID", `${where} takes ${wants}, not ${shapeInWords(shape)}.`);
}

/** The only input of a layer, as 32-bit floats. */
export function onlyInput(call: LayerCall): Value {
  return call.emit.real(anyInput(call));
}

/** The only input of a layer, of whatever type. */
export function anyInput({ where, inputs }: LayerCall): Value {
  const [input] = inputs;
  if (input && inputs.length === 1) return input;
  throw fail(
    "MODEL_INVALID",
    `${where} is given ${counted(inputs.length, "input")} instead of one.`,
  );
}

/** The only input of a layer that works along one or two axes between batch and channels. */
export function spatialInput(call: LayerCall, axes: number): Value {
  const input = onlyInput(call);
  if (input.shape.length !== axes + 2) throw wrongShape(call, input, `${axes + 2} dimensions`);
  const order = call.fields.text("data_format", "channels_last");
  if (order !== "channels_last") throw unsupported(call, `keeps its data as ${quoted(order)}`);
  return input;
}

/** The size of the last axis, which must be known. */
export function channelsOf(call: LayerCall, value: Value): number {
  const channels = value.shape.at(-1) ?? -1;
  if (value.shape.length < 2 || channels < 1)
    throw wrongShape(call, value, "a known number of channels");
  return channels;
}

/** Applies the layer's own activation. */
export const activated = (call: LayerCall, value: Value): Value =>
  activate(value, call.fields.raw("activation"), call);
