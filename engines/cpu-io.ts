import type { Graph } from "@/compiler";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import type { TensorSpec } from "@/lib/common/tensor";

/** Rows that one call of the runtime takes together where the model leaves its batch free. */
const maxBatchSize = 64;

export const maxBatchSizeOf = (graph: Graph): number => (isBatched(graph) ? maxBatchSize : 0);

/** The model's own tensors, untouched: the runtime does all arithmetic. */
export function ioOf(graph: Graph, card: ModelCard | null): ArtifactIo {
  const spec = ({ name, datatype, shape }: TensorSpec) => ({
    name,
    datatype,
    shape: [...shape],
    size: rowSize(graph, shape),
  });
  return {
    inputs: graph.inputs.map(spec),
    outputs: graph.outputs.map((output) => {
      const { classes } = card ?? {};
      const labelled = classes && output.shape.at(-1) === classes.length;
      return {
        ...spec(output),
        activation: "none" as const,
        ...(labelled ? { labels: [...classes] } : {}),
      };
    }),
  };
}

function isBatched({ inputs, outputs }: Graph): boolean {
  return [...inputs, ...outputs].every(({ shape }) => shape[0] === -1);
}

/** Elements of a row: without the batch dimension, if there is one; other free dimensions count once. */
function rowSize(graph: Graph, shape: readonly number[]): number {
  const row = isBatched(graph) ? shape.slice(1) : shape;
  return Math.max(
    1,
    row.reduce((product, size) => product * Math.max(1, size), 1),
  );
}
