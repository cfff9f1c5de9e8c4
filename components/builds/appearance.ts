import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Appearance } from "@/components/ui";
import type { BuildState } from "@/lib/common/contract";
import { keysOf, recordOf } from "@/lib/common/records";

/** How each state of a build feels. */
export const buildTones = {
  queued: "idle",
  preparing: "run",
  running: "run",
  succeeded: "ok",
  failed: "bad",
  cancelled: "info",
  timed_out: "bad",
} as const satisfies Record<BuildState, Appearance["tone"]>;

/** How each state of a build looks, in the reader's language. */
export function useBuildAppearance(): Readonly<Record<BuildState, Appearance>> {
  const t = useTranslations("builds.states");
  return useMemo(
    () =>
      recordOf(
        keysOf(buildTones),
        (state): Appearance => ({
          tone: buildTones[state],
          label: t(`${state}.label`),
          why: t(`${state}.why`),
        }),
      ),
    [t],
  );
}
