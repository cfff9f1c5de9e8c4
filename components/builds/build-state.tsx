"use client";

import { useTranslations } from "next-intl";
import { StateButton, StateWhy } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { useBuildAppearance } from "./appearance";

/** The state of a build, which opens why it is in it, since when, and what to do next. */
export function BuildState({ build, label }: { build: Build; label?: string | undefined }) {
  const t = useTranslations("builds");
  const appearance = useBuildAppearance()[build.state];
  const shown = label ?? (build.cancelling ? t("cancelling") : appearance.label);
  const { id, state, problem, waitsFor, artifactDigest } = build;
  const isMade = state === "succeeded" && artifactDigest !== null;
  return (
    <StateButton appearance={{ ...appearance, label: shown }}>
      <StateWhy
        since={build.endedAt ?? build.startedAt ?? build.createdAt}
        next={{
          href: isMade ? `/firmware/${artifactDigest}` : `/builds/${id}`,
          label: t(`next.${state}`),
        }}
      >
        {problem ? <p className="mt-2 break-words">{problem.message}</p> : null}
        {problem?.hint ? <p className="mt-1 break-words text-muted">{problem.hint}</p> : null}
        {waitsFor ? <p className="mt-2 text-muted">{t(`waits.${waitsFor}.sentence`)}</p> : null}
      </StateWhy>
    </StateButton>
  );
}
