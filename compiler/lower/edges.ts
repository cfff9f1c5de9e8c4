import type { ArtifactIo } from "@/lib/common/contract";
import type { TensorSpec } from "@/lib/common/tensor";
import type { IntegerGraph } from "../integer/integer-graph";
import type { NetworkOutput } from "../model/dense-network";

type Input = ArtifactIo["inputs"][number];
type Output = ArtifactIo["outputs"][number];

/** An input that the host standardises and puts onto the grid of the core. */
export function gridInput(
  { name, datatype, shape }: TensorSpec,
  { input: { size, width, fraction } }: IntegerGraph,
  { mean, deviation }: { readonly mean: readonly number[]; readonly deviation: readonly number[] },
): Input {
  return {
    name,
    datatype,
    shape: [-1, ...shape.slice(1)],
    size,
    fixedPoint: { width, fraction, signed: true },
    standardise: { mean: [...mean], deviation: [...deviation] },
  };
}

/** An output that the host makes of all scores of the core. */
export function scoreOutput(
  { spec: { name, datatype, shape }, activation, elementwise, classes }: NetworkOutput,
  { output: { size: count, width, fraction } }: IntegerGraph,
): Output {
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
    scores: { first: 0, count },
    ...(elementwise ? { elementwise } : {}),
    ...(classes ? { classes: [...classes] } : {}),
  };
}
