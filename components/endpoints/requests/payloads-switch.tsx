"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { ErrorNote, useChosen } from "@/components/ui";
import { requestsQuery, setPayloadsKept } from "../traffic/api";

/** Whether bodies of an endpoint's last requests are kept; what that means is said beside it. */
export function PayloadsSwitch({ name }: { name: string }) {
  const t = useTranslations("traffic.payloads");
  const hint = useId();
  const client = useQueryClient();
  const kept = useQuery(requestsQuery(name, "")).data?.keepsPayloads;
  const keeping = useChosen(
    kept ?? false,
    (keep) => setPayloadsKept(name, keep),
    () => client.invalidateQueries({ queryKey: ["endpoints", name, "requests"] }),
  );
  return (
    <section className="mb-12" id="payloads">
      <h2 className="mb-2">{t("title")}</h2>
      <label className="flex min-h-6 items-center gap-3">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={keeping.value}
          disabled={kept === undefined || keeping.isChanging}
          aria-describedby={hint}
          onChange={({ target }) => keeping.choose(target.checked)}
        />
        {t("keep")}
      </label>
      <p id={hint} className="mt-2 max-w-[68ch] text-muted">
        {t("hint")}
      </p>
      {keeping.error ? <ErrorNote title={t("failed")} error={keeping.error} /> : null}
    </section>
  );
}
