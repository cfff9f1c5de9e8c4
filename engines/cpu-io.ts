import type { Graph } from "@/compiler";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import type { TensorSpec } from "@/lib/common/tensor";

/** What a model takes and answers. */
type Tensors = Pick<Graph, "inputs" | "outputs">;

/** Rows that one call of the runtime takes together where the model leaves its batch free. */
const maxBatchSize = 64;

/** Rows that one call of a model on a CPU may have; 0 where its tensors have no batch dimension. */
export const maxBatchSizeOf = (tensors: Tensors): number => (isBatched(tensors) ? maxBatchSize : 0);

/** The model's own tensors, untouched: the runtime does all arithmetic. */
export function ioOf(tensors: Tensors, card: ModelCard | null): ArtifactIo {
  const spec = ({ name, datatype, shape }: TensorSpec) => ({
    name,
    datatype,
    shape: [...shape],
    size: rowSize(tensors, shape),
  });
  return {
    inputs: tensors.inputs.map(spec),
    outputs: tensors.outputs.map((output) => {
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

function isBatched({ inputs, outputs }: Tensors): boolean {
  return [...inputs, ...outputs].every(({ shape }) => shape[0] === -1);
}

/** Elements of a row: without the batch dimension, if there is one; other free dimensions count once. */
function rowSize(tensors: Tensors, shape: readonly number[]): number {
  const row = isBatched(tensors) ? shape.slice(1) : shape;
  return Math.max(
    1,
    row.reduce((product, size) => product * Math.max(1, size), 1),
  );
}
