import { fail } from "@/lib/common/errors";
import { shapeInWords } from "../../../graph/words";
import type { Value } from "../builder";
import { type LayerCall, type LayerTranslator, unsupported } from "./call";

/** Several inputs of one rank, as 32-bit floats. */
function several(call: LayerCall): readonly Value[] {
  const { inputs, where, emit } = call;
  if (inputs.length < 2) throw fail("MODEL_INVALID", `${where} joins fewer than two inputs.`);
  const ranks = new Set(inputs.map(({ shape }) => shape.length));
  if (ranks.size > 1) throw unsupported(call, "joins inputs with different numbers of axes");
  return inputs.map((input) => emit.real(input));
}

function joined(call: LayerCall, a: Value, b: Value): readonly number[] {
  return a.shape.map((left, axis) => {
    const right = b.shape[axis] ?? -1;
    if (left === right || right === 1) return left;
    if (left === 1) return right;
    if (left < 0 || right < 0) return Math.max(left, right);
    const shapes = [a, b].map(({ shape }) => shapeInWords(shape)).join(" and ");
    throw fail("MODEL_SHAPE_INVALID", `${call.where} cannot join ${shapes}.`);
  });
}

/** Element by element, from the first to the last. */
export const elementwise =
  (operator: "Add" | "Sub" | "Mul" | "Max" | "Min"): LayerTranslator =>
  (call) =>
    chained(call, operator, several(call));

function chained(call: LayerCall, operator: string, values: readonly Value[]): Value {
  if (operator === "Sub" && values.length !== 2)
    throw unsupported(call, "subtracts more than once");
  return values.reduce((a, b) =>
    call.emit.add(operator, { inputs: [a, b], shape: joined(call, a, b) }),
  );
}

export const average: LayerTranslator = (call) => {
  const values = several(call);
  const sum = chained(call, "Add", values);
  const share = call.emit.weight("share", [], [1 / values.length]);
  return call.emit.add("Mul", { inputs: [sum, share], shape: sum.shape });
};

export const concatenate: LayerTranslator = (call) => {
  const values = several(call);
  const rank = values[0]?.shape.length ?? 0;
  const given = call.fields.number("axis", -1);
  const axis = given < 0 ? given + rank : given;
  if (!Number.isInteger(axis) || axis < 1 || axis >= rank) {
    throw call.fields.refuse("axis", "names no axis of its inputs");
  }
  return stacked(call, values, axis);
};

/** One behind the other along an axis; all other axes must agree. */
export function stacked(call: LayerCall, values: readonly Value[], axis: number): Value {
  const rank = values[0]?.shape.length ?? 0;
  const sizes = values.map(({ shape }) => shape[axis] ?? -1);
  const total = sizes.includes(-1) ? -1 : sizes.reduce((sum, size) => sum + size, 0);
  const shape = Array.from({ length: rank }, (_, index) => {
    if (index === axis) return total;
    const known = new Set(
      values.map((value) => value.shape[index] ?? -1).filter((size) => size >= 0),
    );
    if (known.size < 2) return [...known][0] ?? -1;
    const shapes = values.map((value) => shapeInWords(value.shape)).join(" and ");
    throw fail("MODEL_SHAPE_INVALID", `${call.where} cannot join ${shapes} along axis ${axis}.`);
  });
  return call.emit.add("Concat", { inputs: values, shape, attributes: { axis } });
}
