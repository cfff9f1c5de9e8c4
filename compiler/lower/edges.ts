import type { ArtifactIo } from "@/lib/common/contract";
import type { TensorSpec } from "@/lib/common/tensor";
import { refuseModel } from "../graph/refuse";
import type { IntegerGraph } from "../integer/integer-graph";
import type { NetworkOutput } from "../model/dense-network";
import { inputSpansOf } from "../model/input-spans";
import { fractionOf } from "../model/quantizer";
import { type InputQuantizer, inputBits, isSameQuantizer } from "../passes/quantized/input-grids";

type Input = ArtifactIo["inputs"][number];
type Output = ArtifactIo["outputs"][number];
type Format = Pick<IntegerGraph["input"], "width" | "fraction">;

/** Inputs that the host standardises and puts onto the grid of the core, one behind the other. */
export function gridInputs(
  inputs: readonly TensorSpec[],
  { input: { width, fraction } }: { readonly input: Format },
  { mean, deviation }: { readonly mean: readonly number[]; readonly deviation: readonly number[] },
): Input[] {
  const spans = inputSpansOf(inputs);
  return inputs.map(({ name, datatype, shape }, at) => {
    const { first, size } = spans[at] ?? { first: 0, size: 0 };
    const own = (values: readonly number[]) => values.slice(first, first + size);
    return {
      name,
      datatype,
      shape: [-1, ...shape.slice(1)],
      size,
      fixedPoint: { width, fraction, signed: true },
      standardise: { mean: own(mean), deviation: own(deviation) },
    };
  });
}

/**
 * Inputs that the host puts onto grids of the model's own.
 *
 * @param quantizers Of the values of a row: one for all, or one for each.
 * @throws {AppError} `MODEL_UNSUPPORTED` for an input whose values have several.
 */
export function ownGridInputs(
  inputs: readonly TensorSpec[],
  quantizers: readonly InputQuantizer[],
): Input[] {
  const spans = inputSpansOf(inputs);
  return inputs.map(({ name, datatype, shape }, at) => {
    const { first, size } = spans[at] ?? { first: 0, size: 0 };
    const [quantise, ...others] =
      quantizers.length === 1 ? quantizers : quantizers.slice(first, first + size);
    if (!quantise || others.some((each) => !isSameQuantizer(each, quantise))) {
      throw refuseModel(
        `Input "${name}" is put onto several grids; FPGA boards take one for each.`,
      );
    }
    const { scale, offset } = quantise;
    return {
      name,
      datatype,
      shape: [-1, ...shape.slice(1)],
      size,
      fixedPoint: {
        width: inputBits(quantise),
        fraction: fractionOf(scale) ?? 0,
        signed: true,
      },
      standardise: {
        mean: Array<number>(size).fill(offset * scale),
        deviation: Array<number>(size).fill(1),
      },
      quantise,
    };
  });
}

/** What the row of all inputs is called. */
export const rowNameOf = (inputs: readonly TensorSpec[]): string =>
  inputs.map(({ name }) => name).join("+");

/** An output that the host makes of its part of the scores of the core. */
export function scoreOutput(
  { spec: { name, datatype, shape }, part, activation, elementwise, classes }: NetworkOutput,
  { output: { size, width, fraction } }: { readonly output: Format & { readonly size: number } },
): Output {
  const { first, count } = part ?? { first: 0, count: size };
  const isIndex = activation === "argmax";
  const dimensions = shape.slice(1);
  const isWhole = dimensions.reduce((product, each) => product * each, 1) === count;
  return {
    name,
    datatype: isIndex ? "INT64" : datatype,
    shape: [-1, ...(isIndex || isWhole ? dimensions : [count])],
    size: isIndex ? 1 : count,
    fixedPoint: { width, fraction, signed: true },
    activation,
    scores: { first, count },
    ...(elementwise ? { elementwise } : {}),
    ...(classes ? { classes: [...classes] } : {}),
  };
}
