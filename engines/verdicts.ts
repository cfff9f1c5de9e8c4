import type { EngineVerdict } from "@/lib/common/contract";
import type { ParsedModel } from "./engine";
import { listEngines } from "./registry";

/** What each engine says of a model: it takes it, or why not. */
export function engineVerdicts(model: ParsedModel): EngineVerdict[] {
  return listEngines().map((engine) => {
    const verdict = engine.accepts(model);
    if (verdict.ok) return { id: engine.id, ok: true };
    const { reason, message, hint } = verdict.problem;
    return { id: engine.id, ok: false, reason, message, ...(hint === undefined ? {} : { hint }) };
  });
}
