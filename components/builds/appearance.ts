import { useTranslations } from "next-intl";
import { type Appearance, useAppearances } from "@/components/ui";
import type { BuildState } from "@/lib/common/contract";

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
  return useAppearances(buildTones, useTranslations("builds.states"));
}
