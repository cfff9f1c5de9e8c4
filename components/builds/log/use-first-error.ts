import { useEffect, useRef } from "react";
import type { StageName } from "@/lib/common/contract";
import type { Log } from "./use-log";

/** Opens a failed build at its first error, once, unless somebody looks at other lines by then. */
export function useFirstError(
  { outline, filled }: Log,
  {
    failedStage,
    elsewhere,
    goTo,
  }: { failedStage: StageName | null; elsewhere: boolean; goTo: (n: number) => void },
): void {
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current || !filled || elsewhere) return;
    arrived.current = true;
    if (failedStage && outline.firstError !== null) goTo(outline.firstError);
  });
}
