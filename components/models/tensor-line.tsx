import { formatShape } from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";

/** `pixels FP32 [−1, 64]`. */
export function TensorLine({ tensor }: { tensor: Inspection["inputs"][number] }) {
  return (
    <span className="break-words">
      <code>{tensor.name}</code> {tensor.datatype} {formatShape(tensor.shape)}
    </span>
  );
}
