import { fail } from "@/lib/common/errors";
import { counted } from "../../../graph/words";
import type { Value } from "../builder";
import type { LayerWeights } from "../weights";
import { channelsOf, type LayerCall, type LayerTranslator, unsupported, wrongShape } from "./call";

/** `softmax(Q Kᵀ / √d) V` by heads, with a projection before and behind, over [batch, tokens, features]. */
export const multiHeadAttention: LayerTranslator = (call) => {
  const { fields, emit } = call;
  const [query, value, key] = operandsOf(call);
  const heads = fields.count("num_heads");
  const keySize = fields.count("key_dim");
  const valueSize = fields.count("value_dim", keySize);
  refuseOptions(call);
  const queries = byHead(call, query, { part: "query_dense", heads, size: keySize });
  const keys = byHead(call, key, { part: "key_dense", heads, size: keySize, turned: true });
  const values = byHead(call, value, { part: "value_dense", heads, size: valueSize });
  const [batch = -1, , tokens = -1] = queries.shape;
  const scores = [batch, heads, tokens, keys.shape[3] ?? -1];
  const root = emit.weight("root", [], [1 / Math.sqrt(keySize)]);
  const scaled = emit.add("Mul", { inputs: [queries, root], shape: queries.shape });
  const shares = emit.add("Softmax", {
    inputs: [emit.add("MatMul", { inputs: [scaled, keys], shape: scores })],
    shape: scores,
    attributes: { axis: -1 },
  });
  const contexts = emit.add("MatMul", {
    inputs: [shares, values],
    shape: [batch, heads, tokens, valueSize],
  });
  const beside = emit.add("Transpose", {
    inputs: [contexts],
    shape: [batch, tokens, heads, valueSize],
    attributes: { perm: [0, 2, 1, 3] },
  });
  const together = emit.add("Reshape", {
    inputs: [beside, emit.integers("together", [0, 0, heads * valueSize])],
    shape: [batch, tokens, heads * valueSize],
  });
  const width = query.shape[2] ?? -1;
  return projected(call, together, {
    part: "output_dense",
    from: [heads, valueSize],
    to: [width],
  });
};

/** Query, value and key, which is the value where none is given. */
function operandsOf(call: LayerCall): readonly [Value, Value, Value] {
  const { inputs, where, emit } = call;
  const [query, value, key = value] = inputs.map((each) => emit.real(each));
  if (!query || !value || !key || inputs.length > 3) {
    throw fail("MODEL_INVALID", `${where} is given ${counted(inputs.length, "input")}.`, {
      hint: "Attention takes a query, a value and perhaps a key.",
    });
  }
  for (const each of [query, value, key]) {
    if (each.shape.length !== 3) throw wrongShape(call, each, "[batch, tokens, features]");
  }
  return [query, value, key];
}

function refuseOptions(call: LayerCall): void {
  const { fields } = call;
  const axes = fields.raw("attention_axes");
  const isUsual = !Array.isArray(axes) || (axes.length === 1 && axes[0] === 1);
  if (!isUsual) throw unsupported(call, "attends over other axes than the tokens");
  for (const key of ["output_shape", "sliding_window"]) {
    if (fields.raw(key) !== undefined) throw unsupported(call, `has \`${key}\``);
  }
  if (fields.flag("use_gate", false)) throw unsupported(call, "has gates");
  if (fields.raw("quantization_config") !== undefined) throw unsupported(call, "is quantised");
}

interface Heads {
  readonly part: string;
  readonly heads: number;
  readonly size: number;
  /** Whether features come before tokens. */
  readonly turned?: boolean;
}

/** `[batch, heads, tokens, size]`, or with the last two turned. */
function byHead(call: LayerCall, input: Value, { part, heads, size, turned }: Heads): Value {
  const { emit } = call;
  const [batch = -1, tokens = -1] = input.shape;
  const all = projected(call, input, { part, from: [channelsOf(call, input)], to: [heads, size] });
  const split = emit.add("Reshape", {
    inputs: [all, emit.integers("heads", [0, 0, heads, size])],
    shape: [batch, tokens, heads, size],
  });
  return emit.add("Transpose", {
    inputs: [split],
    shape: turned ? [batch, heads, size, tokens] : [batch, heads, tokens, size],
    attributes: { perm: turned ? [0, 2, 3, 1] : [0, 2, 1, 3] },
  });
}

/** Multiplies the last axis by the matrix of a part of the layer. */
function projected(
  { fields, weights, emit }: LayerCall,
  input: Value,
  {
    part,
    from,
    to,
  }: { readonly part: string; readonly from: readonly number[]; readonly to: readonly number[] },
): Value {
  const sizeOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1);
  const [rows, columns] = [sizeOf(from), sizeOf(to)];
  const [matrix = new Float64Array(), bias] = partOf(weights, part).read([
    [...from, ...to],
    ...(fields.flag("use_bias", true) ? [[...to]] : []),
  ]);
  const shape = [...input.shape.slice(0, -1), columns];
  const product = emit.add("MatMul", {
    inputs: [input, emit.weight(`${part}/kernel`, [rows, columns], matrix)],
    shape,
  });
  return bias
    ? emit.add("Add", { inputs: [product, emit.weight(`${part}/bias`, [columns], bias)], shape })
    : product;
}

/** Keras 2 named the parts with an underscore in front; older files name their weights after the projection itself. */
function partOf(weights: LayerWeights, name: string): LayerWeights {
  const plain = name === "output_dense" ? "attention_output" : name.replace("_dense", "");
  const parts = [name, `_${name}`, plain].map((each) => weights.part(each));
  return parts.find(({ count }) => count > 0) ?? weights.part(name);
}
