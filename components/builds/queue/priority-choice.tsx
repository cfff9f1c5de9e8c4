"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorNote, useChosen } from "@/components/ui";
import { type Build, buildPriorities } from "@/lib/common/contract";
import { setPriority } from "../api";

/** How urgent a build is that waits: its place in the queue follows at once. */
export function PriorityChoice({ build: { id, priority } }: { readonly build: Build }) {
  const t = useTranslations("builds");
  const client = useQueryClient();
  const chosen = useChosen(
    priority,
    (to) => setPriority(id, to),
    () => client.invalidateQueries({ queryKey: ["builds"] }),
  );
  return (
    <div>
      <label className="flex items-center gap-2 text-dense">
        {t("queue.priority")}
        <select
          className="field h-8 w-auto text-dense"
          value={chosen.value}
          disabled={chosen.isChanging}
          onChange={({ target }) => {
            const to = buildPriorities.find((each) => each === target.value);
            if (to) chosen.choose(to);
          }}
        >
          {buildPriorities.map((each) => (
            <option key={each} value={each}>
              {t(`list.priorities.${each}`)}
            </option>
          ))}
        </select>
      </label>
      {chosen.error ? <ErrorNote title={t("queue.priorityFailed")} error={chosen.error} /> : null}
    </div>
  );
}
