/** What an operator computes of one element of each operand, in double precision. */
export type ScalarFunction = (
  operands: readonly number[],
  parameters: Readonly<Record<string, number>>,
) => number;

interface Operator {
  readonly operands: 1 | 2;
  readonly apply: ScalarFunction;
  /** Its attributes, where a model does not say them. */
  readonly defaults: Readonly<Record<string, number>>;
}

const unary = (
  apply: (x: number, parameters: (name: string) => number) => number,
  defaults: Readonly<Record<string, number>> = {},
): Operator => ({
  operands: 1,
  apply: ([x = 0], parameters) => apply(x, (name) => parameters[name] ?? defaults[name] ?? 0),
  defaults,
});

const binary = (apply: (a: number, b: number) => number): Operator => ({
  operands: 2,
  apply: ([a = 0, b = 0]) => apply(a, b),
  defaults: {},
});

/**
 * Operators of ONNX that work on each element by itself.
 *
 * @see https://onnx.ai/onnx/operators/ for the formulas and the defaults of their attributes
 */
export const scalarOperators: Readonly<Record<string, Operator>> = {
  Abs: unary(Math.abs),
  Neg: unary((x) => -x),
  Exp: unary(Math.exp),
  Log: unary(Math.log),
  Sqrt: unary(Math.sqrt),
  Reciprocal: unary((x) => 1 / x),
  Sin: unary(Math.sin),
  Cos: unary(Math.cos),
  Atan: unary(Math.atan),
  Erf: unary(erf),
  Relu: unary((x) => Math.max(0, x)),
  Sigmoid: unary(logistic),
  Tanh: unary(Math.tanh),
  Softplus: unary(softplus),
  Softsign: unary((x) => x / (1 + Math.abs(x))),
  LeakyRelu: unary((x, of) => (x < 0 ? of("alpha") * x : x), { alpha: 0.01 }),
  ThresholdedRelu: unary((x, of) => (x > of("alpha") ? x : 0), { alpha: 1 }),
  Shrink: unary(
    (x, of) => (x < -of("lambd") ? x + of("bias") : x > of("lambd") ? x - of("bias") : 0),
    { bias: 0, lambd: 0.5 },
  ),
  Elu: unary((x, of) => (x < 0 ? of("alpha") * Math.expm1(x) : x), { alpha: 1 }),
  Celu: unary((x, of) => (x < 0 ? of("alpha") * Math.expm1(x / of("alpha")) : x), { alpha: 1 }),
  Selu: unary((x, of) => of("gamma") * (x < 0 ? of("alpha") * Math.expm1(x) : x), {
    alpha: 1.6732631921768188,
    gamma: 1.0507010221481323,
  }),
  HardSigmoid: unary((x, of) => Math.min(1, Math.max(0, of("alpha") * x + of("beta"))), {
    alpha: 0.2,
    beta: 0.5,
  }),
  HardSwish: unary((x) => x * Math.min(1, Math.max(0, x / 6 + 0.5))),
  Swish: unary((x, of) => x * logistic(of("alpha") * x), { alpha: 1 }),
  Mish: unary((x) => x * Math.tanh(softplus(x))),
  /** `approximate` is the text `tanh` or `none` in a model, 1 or 0 here. */
  Gelu: unary(
    (x, of) =>
      of("approximate") === 1
        ? 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))
        : 0.5 * x * (1 + erf(x * Math.SQRT1_2)),
    { approximate: 0 },
  ),
  Add: binary((a, b) => a + b),
  Sub: binary((a, b) => a - b),
  Mul: binary((a, b) => a * b),
  Div: binary((a, b) => a / b),
  Max: binary(Math.max),
  Min: binary(Math.min),
  Pow: binary((a, b) => a ** b),
  PRelu: binary((x, slope) => (x < 0 ? slope * x : x)),
};

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** `ln(1 + e^x)` without overflow. */
function softplus(x: number): number {
  return Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)));
}

/** Below this the series converges quickly; above, the continued fraction does. */
const seriesLimit = 2.5;

/** The error function, to about 1e-15. @see Abramowitz and Stegun 7.1.6 and 7.1.14 */
function erf(x: number): number {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  if (size < seriesLimit) {
    let term = size;
    let sum = size;
    for (let n = 1; Math.abs(term) > 1e-17 * sum; n++) {
      term *= (2 * size * size) / (2 * n + 1);
      sum += term;
    }
    return Math.sign(x) * (2 / Math.sqrt(Math.PI)) * Math.exp(-size * size) * sum;
  }
  let fraction = 0;
  for (let n = 60; n >= 1; n--) fraction = n / 2 / (size + fraction);
  return Math.sign(x) * (1 - Math.exp(-size * size) / (Math.sqrt(Math.PI) * (size + fraction)));
}
