"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorNote } from "@/components/ui";
import { type Build, type BuildPriority, buildPriorities } from "@/lib/common/contract";
import { setPriority } from "../api";

/** How urgent a build is that waits: its place in the queue follows at once. */
export function PriorityChoice({ build: { id, priority } }: { readonly build: Build }) {
  const t = useTranslations("builds");
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (to: BuildPriority) => setPriority(id, to),
    onSettled: () => client.invalidateQueries({ queryKey: ["builds"] }),
  });
  return (
    <div>
      <label className="flex items-center gap-2 text-dense">
        {t("queue.priority")}
        <select
          className="field h-8 w-auto text-dense"
          value={change.isPending ? change.variables : priority}
          disabled={change.isPending}
          onChange={({ target }) => {
            const to = buildPriorities.find((each) => each === target.value);
            if (to) change.mutate(to);
          }}
        >
          {buildPriorities.map((each) => (
            <option key={each} value={each}>
              {t(`list.priorities.${each}`)}
            </option>
          ))}
        </select>
      </label>
      {change.isError ? <ErrorNote title={t("queue.priorityFailed")} error={change.error} /> : null}
    </div>
  );
}
