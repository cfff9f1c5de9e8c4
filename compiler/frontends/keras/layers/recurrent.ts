import { activationName, hardSigmoid } from "../activations";
import type { Emitter, Value } from "../builder";
import type { Fields } from "../fields";
import type { LayerWeights } from "../weights";
import { type LayerCall, type LayerTranslator, onlyInput, unsupported, wrongShape } from "./call";
import { stacked } from "./merge";

/** What Keras and ONNX call a cell, and the order in which each lists its gates. */
interface Cell {
  readonly operator: "LSTM" | "GRU" | "RNN";
  /** Of the ONNX operator's gates, their positions in Keras. */
  readonly gates: readonly number[];
  /** Activations in the operator's order. */
  readonly functions: readonly ("activation" | "recurrent_activation")[];
}

const cells: Readonly<Record<string, Cell>> = {
  // Keras: input, forget, cell, output. ONNX: input, output, forget, cell.
  LSTM: {
    operator: "LSTM",
    gates: [0, 3, 1, 2],
    functions: ["recurrent_activation", "activation", "activation"],
  },
  // Both: update, reset, hidden.
  GRU: { operator: "GRU", gates: [0, 1, 2], functions: ["recurrent_activation", "activation"] },
  SimpleRNN: { operator: "RNN", gates: [0], functions: ["activation"] },
};

/** One direction through a sequence. */
interface Pass {
  readonly cell: Cell;
  readonly fields: Fields;
  readonly weights: LayerWeights;
  readonly emit: Emitter;
}

/** A recurrent layer over [batch, time, features]. */
export const recurrent =
  (className: keyof typeof cells): LayerTranslator =>
  (call) => {
    const cell = cells[className];
    if (!cell) throw new RangeError(`no cell ${className}`);
    const input = sequence(call);
    const { fields, weights, emit } = call;
    const pass: Pass = { cell, fields, weights: weights.part("cell"), emit };
    return run(call, pass, input, fields.flag("go_backwards", false));
  };

/** The same layer forth and back, the two results joined. */
export const bidirectional: LayerTranslator = (call) => {
  const { fields, weights, emit } = call;
  const inner = (key: string): { className: string; fields: Fields } => {
    const layer = fields.inner(key);
    return { className: layer.text("class_name"), fields: layer.inner("config") };
  };
  const forth = inner("layer");
  const back = fields.raw("backward_layer") === undefined ? forth : inner("backward_layer");
  const cell = Object.hasOwn(cells, forth.className) ? cells[forth.className] : undefined;
  if (!cell || back.className !== forth.className) {
    throw unsupported(call, `wraps a layer of class ${forth.className}`);
  }
  const input = sequence(call);
  const pass = (of: Fields, part: string): Pass => ({
    cell,
    fields: of,
    weights: weights.part(part).part("cell"),
    emit,
  });
  const backwards = forth.fields.flag("go_backwards", false);
  const first = run(call, pass(forth.fields, "forward_layer"), input, backwards);
  const last = run(call, pass(back.fields, "backward_layer"), input, !backwards);
  // A sequence comes out in the order it was taken in: the second is turned round to lie beside the first.
  const second = last.shape.length === 3 ? reversed(emit, last) : last;
  switch (fields.text("merge_mode", "concat")) {
    case "concat":
      return stacked(call, [first, second], first.shape.length - 1);
    case "sum":
      return emit.add("Add", { inputs: [first, second], shape: first.shape });
    case "mul":
      return emit.add("Mul", { inputs: [first, second], shape: first.shape });
    case "ave": {
      const sum = emit.add("Add", { inputs: [first, second], shape: first.shape });
      return emit.add("Mul", { inputs: [sum, emit.weight("half", [], [0.5])], shape: sum.shape });
    }
    default:
      throw unsupported(call, "keeps its two directions apart");
  }
};

function sequence(call: LayerCall): Value {
  const input = onlyInput(call);
  const [, , features = -1] = input.shape;
  if (input.shape.length !== 3 || features < 1) throw wrongShape(call, input, "3 dimensions");
  return input;
}

function run(
  call: LayerCall,
  { cell, fields, weights, emit }: Pass,
  input: Value,
  backwards: boolean,
): Value {
  for (const key of ["return_state", "stateful", "time_major"]) {
    if (fields.flag(key, false)) throw unsupported(call, `has ${key}`);
  }
  const [batch = -1, time = -1, features = -1] = input.shape;
  const units = fields.count("units");
  const gates = cell.gates.length;
  const splitBias = cell.operator === "GRU" && fields.flag("reset_after", false);
  const [kernel = none, recurrentKernel = none, bias] = weights.read([
    [features, gates * units],
    [units, gates * units],
    ...(fields.flag("use_bias", true) ? [splitBias ? [2, gates * units] : [gates * units]] : []),
  ]);
  const matrix = (name: string, values: Float64Array, rows: number) =>
    emit.weight(name, [1, gates * units, rows], byGate(cell, units, values, rows));
  const biases = bias && [
    ...byGate(cell, units, bias.subarray(0, gates * units), 1),
    ...(splitBias
      ? byGate(cell, units, bias.subarray(gates * units), 1)
      : new Float64Array(gates * units)),
  ];
  const ordered = backwards ? reversed(emit, input) : input;
  const timeFirst = emit.add("Transpose", {
    inputs: [ordered],
    shape: [time, batch, features],
    attributes: { perm: [1, 0, 2] },
  });
  const keepsAll = fields.flag("return_sequences", false);
  const result = emit.add(cell.operator, {
    inputs: [
      timeFirst,
      matrix("kernel", kernel, features),
      matrix("recurrent_kernel", recurrentKernel, units),
      ...(biases ? [emit.weight("bias", [1, biases.length], biases)] : []),
    ],
    // Either all steps, with an axis of directions, or the last one alone.
    shape: keepsAll ? [time, 1, batch, units] : [1, batch, units],
    skips: keepsAll ? 0 : 1,
    attributes: {
      hidden_size: units,
      ...functionsOf(call, cell, fields),
      ...(cell.operator === "GRU" ? { linear_before_reset: splitBias ? 1 : 0 } : {}),
    },
  });
  const alone = emit.add("Squeeze", {
    inputs: [result, emit.integers("direction", [keepsAll ? 1 : 0])],
    shape: keepsAll ? [time, batch, units] : [batch, units],
  });
  if (!keepsAll) return alone;
  return emit.add("Transpose", {
    inputs: [alone],
    shape: [batch, time, units],
    attributes: { perm: [1, 0, 2] },
  });
}

const none = new Float64Array();

/** Columns of Keras, all gates side by side, as rows of ONNX, gate below gate in its own order. */
function byGate({ gates }: Cell, units: number, values: Float64Array, rows: number): Float64Array {
  const columns = gates.length * units;
  const result = new Float64Array(columns * rows);
  for (const [position, gate] of gates.entries()) {
    for (let unit = 0; unit < units; unit += 1) {
      for (let row = 0; row < rows; row += 1) {
        result[(position * units + unit) * rows + row] =
          values[row * columns + gate * units + unit] ?? 0;
      }
    }
  }
  return result;
}

/** The steps of [batch, time, features] from the last to the first. */
function reversed(emit: Emitter, value: Value): Value {
  return emit.add("Slice", {
    inputs: [
      value,
      emit.integers("from", [-1]),
      // Beyond the first step, whatever the length.
      emit.integers("to", [-(2 ** 31)]),
      emit.integers("axis", [1]),
      emit.integers("step", [-1]),
    ],
    shape: value.shape,
  });
}

/** Names of ONNX for activations inside of a cell; its operators know no others. */
const functionNames: Readonly<Record<string, string>> = {
  tanh: "Tanh",
  sigmoid: "Sigmoid",
  hard_sigmoid: "HardSigmoid",
  relu: "Relu",
  softsign: "Softsign",
  softplus: "Softplus",
  elu: "Elu",
  linear: "Affine",
};

function functionsOf(call: LayerCall, cell: Cell, fields: Fields) {
  const names = cell.functions.map((key) => activationName(fields.raw(key), call.where));
  const unknown = names.find((name) => !Object.hasOwn(functionNames, name));
  if (unknown !== undefined) throw unsupported(call, `uses ${unknown} inside its cell`);
  // Only functions that take a parameter consume one of the lists, in order.
  const parameters = names.flatMap((name): { alpha: number; beta?: number }[] => {
    if (name === "hard_sigmoid") return [hardSigmoid(call.kerasMajor)];
    if (name === "linear") return [{ alpha: 1, beta: 0 }];
    if (name === "elu") return [{ alpha: 1 }];
    return [];
  });
  const alpha = parameters.map((each) => each.alpha);
  const beta = parameters.flatMap((each) => (each.beta === undefined ? [] : [each.beta]));
  return {
    activations: names.map((name) => functionNames[name] ?? ""),
    ...(alpha.length > 0 ? { activation_alpha: alpha } : {}),
    ...(beta.length > 0 ? { activation_beta: beta } : {}),
  };
}
