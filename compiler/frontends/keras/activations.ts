import { fail } from "@/lib/common/errors";
import { quoted } from "../../graph/words";
import type { Emitter, Value } from "./builder";
import { isJson } from "./fields";

export interface Activation {
  readonly emit: Emitter;
  /** The layer as people say it. */
  readonly where: string;
  /** Version of Keras that saved the model: a few functions have changed. */
  readonly kerasMajor: number;
}

type Apply = (emit: Emitter, value: Value, kerasMajor: number) => Value;

const one =
  (operator: string, attributes: Readonly<Record<string, number>> = {}): Apply =>
  (emit, value) =>
    emit.add(operator, { inputs: [value], shape: value.shape, attributes });

const scalar = (emit: Emitter, name: string, value: number) => emit.weight(name, [], [value]);

const two = (
  emit: Emitter,
  operator: string,
  a: Value,
  b: Parameters<Emitter["add"]>[1]["inputs"][number],
) => emit.add(operator, { inputs: [a, b], shape: a.shape });

const swish: Apply = (emit, value) => two(emit, "Mul", value, one("Sigmoid")(emit, value, 3));

/** x · (1 + erf(x / √2)) / 2, as there is no operator for it before opset 20. */
const gelu: Apply = (emit, value) => {
  const scaled = two(emit, "Mul", value, scalar(emit, "inverse_root", Math.SQRT1_2));
  const error = emit.add("Erf", { inputs: [scaled], shape: value.shape });
  const shifted = two(emit, "Add", error, scalar(emit, "one", 1));
  const product = two(emit, "Mul", value, shifted);
  return two(emit, "Mul", product, scalar(emit, "half", 0.5));
};

const clipped =
  (most: number): Apply =>
  (emit, value) =>
    emit.add("Clip", {
      inputs: [value, scalar(emit, "least", 0), scalar(emit, "most", most)],
      shape: value.shape,
    });

/** Keras 3 counts in sixths, Keras 2 in fifths. */
export const hardSigmoid = (kerasMajor: number) => ({
  alpha: kerasMajor >= 3 ? 1 / 6 : 0.2,
  beta: 0.5,
});

const functions: Readonly<Record<string, Apply>> = {
  linear: (_, value) => value,
  relu: one("Relu"),
  relu6: clipped(6),
  sigmoid: one("Sigmoid"),
  hard_sigmoid: (emit, value, major) => one("HardSigmoid", hardSigmoid(major))(emit, value, major),
  tanh: one("Tanh"),
  softmax: one("Softmax", { axis: -1 }),
  log_softmax: one("LogSoftmax", { axis: -1 }),
  softplus: one("Softplus"),
  softsign: one("Softsign"),
  swish,
  silu: swish,
  hard_swish: one("HardSwish"),
  hard_silu: one("HardSwish"),
  mish: (emit, value) =>
    two(emit, "Mul", value, one("Tanh")(emit, one("Softplus")(emit, value, 3), 3)),
  gelu,
  elu: one("Elu", { alpha: 1 }),
  selu: one("Selu"),
  exponential: one("Exp"),
  leaky_relu: one("LeakyRelu", { alpha: 0.2 }),
};

const alongAxis: ReadonlySet<string> = new Set(["softmax", "log_softmax"]);

/**
 * Applies the activation that a configuration names.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming layer and function, `MODEL_NOT_ALLOWED` for code of others.
 */
export function activate(
  value: Value,
  named: unknown,
  { emit, where, kerasMajor }: Activation,
): Value {
  const name = activationName(named, where);
  const apply = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!apply) {
    throw fail(
      "OPERATOR_UNSUPPORTED",
      `${where} uses the activation ${quoted(name)}, which is not read here.`,
      { hint: `Use one of ${Object.keys(functions).join(", ")}, or export the model to ONNX.` },
    );
  }
  if (name === "linear") return value;
  if (alongAxis.has(name)) return apply(emit, value, kerasMajor);
  return emit.eachElement(value, (each) => apply(emit, each, kerasMajor));
}

/** The name of a function: plain, or inside the object that newer versions write. */
export function activationName(named: unknown, where: string): string {
  if (named === undefined || named === null) return "linear";
  if (typeof named === "string") return named;
  if (isJson(named)) {
    const { module, class_name, config, registered_name } = named;
    const own = module === undefined || module === "builtins" || isKerasModule(module);
    if (own && class_name === "function" && typeof config === "string") {
      if (registered_name === undefined || registered_name === null || registered_name === config)
        return config;
    }
    const shown = [module, class_name, config].filter((part) => typeof part === "string").join(".");
    throw fail(
      "MODEL_NOT_ALLOWED",
      `${where} uses the function ${quoted(shown)}, which is not one of Keras.`,
      {
        hint: "Nothing outside of Keras is imported: use a built-in activation.",
      },
    );
  }
  throw fail("MODEL_INVALID", `${where} has an activation that is no name.`);
}

/** Whether a module of a configuration is Keras itself. */
export function isKerasModule(module: unknown): boolean {
  return (
    typeof module === "string" &&
    /^(keras|tf_keras|tensorflow\.keras|tensorflow\.python\.keras)(\.[a-z_.]+)?$/.test(module)
  );
}
