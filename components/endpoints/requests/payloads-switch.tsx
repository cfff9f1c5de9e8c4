"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote } from "@/components/ui";
import { requestsQuery, setPayloadsKept } from "../traffic/api";

/** Whether bodies of an endpoint's last requests are kept; what that means is said beside it. */
export function PayloadsSwitch({ name }: { name: string }) {
  const t = useTranslations("traffic.payloads");
  const hint = useId();
  const client = useQueryClient();
  const kept = useQuery(requestsQuery(name, "")).data?.keepsPayloads;
  /** What was chosen, until the server says so too. The state of the change comes a moment after the press: too late for the box. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const change = useMutation({
    mutationFn: (keep: boolean) => setPayloadsKept(name, keep),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["endpoints", name, "requests"] });
      setChosen(null);
    },
  });
  return (
    <section className="mb-12" id="payloads">
      <h2 className="mb-2">{t("title")}</h2>
      <label className="flex min-h-6 items-center gap-3">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={chosen ?? kept ?? false}
          disabled={kept === undefined || chosen !== null}
          aria-describedby={hint}
          onChange={(event) => {
            setChosen(event.target.checked);
            change.mutate(event.target.checked);
          }}
        />
        {t("keep")}
      </label>
      <p id={hint} className="mt-2 max-w-[68ch] text-muted">
        {t("hint")}
      </p>
      {change.error ? <ErrorNote title={t("failed")} error={change.error} /> : null}
    </section>
  );
}
