import { formatShape } from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";

/** `label INT64 [−1], probabilities FP32 [−1, 3]`. */
export function TensorLine({ tensors }: { tensors: Inspection["inputs"] }) {
  return tensors.map((tensor, index) => (
    <span key={tensor.name} className="break-words">
      {index > 0 ? ", " : ""}
      <code>{tensor.name}</code> {tensor.datatype} {formatShape(tensor.shape)}
    </span>
  ));
}
