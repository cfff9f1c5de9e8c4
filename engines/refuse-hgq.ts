import { findHgqLayer, type Graph } from "@/compiler";
import { fail } from "@/lib/common/errors";

/** Refuses layers of HGQ2, whose bits only its own tools know. @throws {AppError} `OPERATOR_UNSUPPORTED` */
export function refuseHgq(engine: string, graph: Graph): void {
  const layer = findHgqLayer(graph);
  if (!layer) return;
  throw fail(
    "OPERATOR_UNSUPPORTED",
    `${layer.name} is a layer of HGQ2 (${layer.operator}), whose bits the ${engine} engine does not read.`,
    {
      hint: "Choose the hls4ml engine: it runs HGQ2 itself, for CPU boards and boards with open tools.",
    },
  );
}
