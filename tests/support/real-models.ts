import type { RouteEndpoint } from "@/domain/routes";
import { type Datatype, datatypes } from "@/lib/common/tensor";
import { type OnnxFixture, onnxFile, type Signature } from "./onnx";
import type { RealBoard, RealModel } from "./real-board";

type Operator = readonly [type: string, inputs: readonly string[], outputs: readonly string[]];

const batched = (name: string, datatype: Datatype = "FP32", width = 4): Signature => ({
  name,
  datatype,
  shape: [-1, width],
});

function fixture(
  inputs: readonly Signature[],
  outputs: readonly Signature[],
  operators: readonly Operator[],
): OnnxFixture {
  const node = operators.map(([opType, input, output], index) => ({
    opType,
    name: `${opType}${index}`,
    input: [...input],
    output: [...output],
  }));
  return { inputs, outputs, bytes: onnxFile(inputs, outputs, { node, initializer: [] }) };
}

/** Answers its input, under the name of its output. */
export function echo(
  name: string,
  input: Signature,
  { maxBatchSize = 0, output = "y" } = {},
): RealModel {
  const file = fixture(
    [input],
    [{ ...input, name: output }],
    [["Identity", [input.name], [output]]],
  );
  return { ...file, name, maxBatchSize };
}

/** The checklist's models: an echo of each datatype, `add`, and echoes of other shapes. */
export const realModels: readonly RealModel[] = [
  ...(Object.keys(datatypes) as Datatype[]).map((datatype) =>
    echo(`echo_${datatype.toLowerCase()}`, { name: "x", datatype, shape: [-1] }),
  ),
  echo("matrix", { name: "x", datatype: "FP32", shape: [-1, -1] }),
  echo("scalar", { name: "x", datatype: "FP32", shape: [] }),
  echo("single", batched("x"), { maxBatchSize: 8 }),
  {
    ...fixture(
      [batched("a"), batched("b")],
      [batched("sum"), batched("difference")],
      [
        ["Add", ["a", "b"], ["sum"]],
        ["Sub", ["a", "b"], ["difference"]],
      ],
    ),
    name: "add",
    maxBatchSize: 8,
    versions: [1, 2],
  },
];

/** Routes to all of them, and to two that do not answer. */
export async function serveRealModels(
  board: RealBoard,
  models: readonly RealModel[] = realModels,
): Promise<RouteEndpoint[]> {
  const served = await Promise.all(models.map((model) => board.serve(model)));
  const absent = (["loading", "failed"] as const).map((state): RouteEndpoint => {
    const revision = {
      id: `rev_${state}_1`,
      version: "1",
      platform: "onnx_onnxv1",
      inputs: [batched("x")],
      outputs: [batched("y")],
      maxBatchSize: 8,
      properties: {},
      replicas: [],
    };
    const split = [{ revisionId: revision.id, percent: 100 }];
    return { name: state, state, reason: null, split, revisions: [revision] };
  });
  return [...served, ...absent];
}
