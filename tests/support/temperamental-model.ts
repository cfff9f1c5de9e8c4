import { onnxDatatypes, onnxFile, type Signature } from "./onnx";
import type { RealModel } from "./real-board";

const side = 256;
/** The value that this model cannot stand. */
export const unlucky = 13;

const inputs: readonly Signature[] = [{ name: "x", datatype: "FP32", shape: [-1, -1] }];
const outputs: readonly Signature[] = [
  { name: "y", datatype: "FP32", shape: [-1, -1] },
  { name: "rows", datatype: "INT64", shape: [-1, 1] },
];

const float = (name: string, dims: readonly number[], values: readonly number[]) => ({
  name,
  dataType: onnxDatatypes.FP32,
  dims: dims.map(BigInt),
  floatData: [...values],
});
const integer = (name: string, dims: readonly number[], value: number) => ({
  name,
  dataType: onnxDatatypes.INT64,
  dims: dims.map(BigInt),
  int64Data: [BigInt(value)],
});
const node = (opType: string, input: string[], output: string[], attribute: object[] = []) => ({
  opType,
  name: `${opType}/${output[0]}`,
  input,
  output,
  attribute,
});
const int = (name: string, value: number) => ({ name, type: 2, i: BigInt(value) });

/** One pass multiplies two matrices, which takes a third of a millisecond or more. */
const body = {
  name: "pass",
  input: [scalarInfo("pass_index", "INT64"), scalarInfo("go_in", "BOOL"), matrixInfo("work_in")],
  output: [scalarInfo("go_out", "BOOL"), matrixInfo("work_out")],
  node: [
    node("Identity", ["go_in"], ["go_out"]),
    node("MatMul", ["work_in", "weights"], ["work_out"]),
  ],
};

/**
 * Answers its input as `y`, and as `rows` how many rows were in the call. Makes as many passes as the largest
 * value of the call says, and fails where that is `unlucky`. All of it is arithmetic of ONNX.
 */
export function temperamentalModel(name: string, maxBatchSize: number): RealModel {
  const cells = side * side;
  const bytes = onnxFile(inputs, outputs, {
    initializer: [
      float("weights", [side, side], Array(cells).fill(0)),
      float("work", [side, side], Array(cells).fill(0)),
      float("table", [1], [0]),
      float("unlucky", [], [unlucky]),
      integer("first", [], 0),
      integer("one", [1], 1),
    ],
    node: [
      node("ReduceMax", ["x"], ["largest"], [int("keepdims", 0)]),
      node("Cast", ["largest"], ["passes"], [int("to", onnxDatatypes.INT64)]),
      node("Loop", ["passes", "", "work"], ["worked"], [{ name: "body", type: 5, g: body }]),
      node("ReduceMax", ["worked"], ["zero"], [int("keepdims", 0)]),
      node("Equal", ["largest", "unlucky"], ["bad"]),
      node("Cast", ["bad"], ["place"], [int("to", onnxDatatypes.INT64)]),
      node("Gather", ["table", "place"], ["nothing"]),
      node("Add", ["zero", "nothing"], ["none"]),
      node("Add", ["x", "none"], ["y"]),
      node("Shape", ["x"], ["shape"]),
      node("Gather", ["shape", "first"], ["count"]),
      node("Reshape", ["count", "one"], ["height"]),
      node("Concat", ["height", "one"], ["column"], [int("axis", 0)]),
      node("Expand", ["count", "column"], ["rows"]),
    ],
  });
  return { name, maxBatchSize, inputs, outputs, bytes };
}

function scalarInfo(name: string, datatype: "INT64" | "BOOL") {
  const value = { elemType: onnxDatatypes[datatype], shape: { dim: [] } };
  return { name, type: { value: { case: "tensorType" as const, value } } };
}

function matrixInfo(name: string) {
  const dim = [side, side].map((size) => ({
    value: { case: "dimValue" as const, value: BigInt(size) },
  }));
  const value = { elemType: onnxDatatypes.FP32, shape: { dim } };
  return { name, type: { value: { case: "tensorType" as const, value } } };
}
