import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Plan } from "@/engines";

const mutationSchema = z.strictObject({
  file: z.string(),
  from: z.string().min(1),
  to: z.string(),
});

/**
 * For tests only: damages one emitted file after planning, so that a test can see verification catch it through the real
 * worker. `file:<path>` names a JSON object `{ file, from, to }`; the first `from` in that file becomes `to`.
 *
 * @throws {Error} when the text is not there: a mutation that changes nothing proves nothing.
 */
export function mutatePlan(plan: Plan, source: string): Plan {
  const { file, from, to } = mutationSchema.parse(
    JSON.parse(readFileSync(source.replace(/^file:/, ""), "utf8")),
  );
  let changed = 0;
  const mutate = (files: Plan["files"]): Plan["files"] =>
    new Map(
      [...files].map(([name, content]) => {
        if (name !== file || typeof content !== "string" || !content.includes(from))
          return [name, content];
        changed++;
        return [name, content.replace(from, () => to)];
      }),
    );
  const mutated = {
    ...plan,
    files: mutate(plan.files),
    variants: plan.variants.map((variant) => ({ ...variant, files: mutate(variant.files) })),
  };
  if (changed === 0) throw new Error(`the mutation finds nothing to change in ${file}`);
  return mutated;
}
