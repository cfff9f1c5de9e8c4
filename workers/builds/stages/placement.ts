import type { Outcome, ProductRole } from "@/engines";
import { type AttemptContext, say } from "./attempt-context";

const placementPath = "placement.json";

/** Writes where on the chip the cells lie, as a file of the artifact, where the engine knows. */
export async function drawPlacement(
  context: AttemptContext,
  { placement }: Outcome,
): Promise<ProductRole[]> {
  if (!placement) return [];
  const text = JSON.stringify(placement);
  await context.work.write(placementPath, text);
  say(
    context,
    `${placement.tiles.length / 5} places on the chip are drawn in ${text.length} bytes.`,
  );
  return [{ role: "placement", path: placementPath }];
}
