"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { meQuery } from "@/components/me";
import { ErrorNote, useChosen } from "@/components/ui";
import { type Endpoint, endpointAccessSchema } from "@/lib/common/contract";
import { setAccess } from "./api";

/** Who may ask an endpoint: its owner alone, who shows a token, or everybody who reaches the gateway. */
export function AccessChoice({ endpoint: { name, access } }: { endpoint: Endpoint }) {
  const t = useTranslations("endpoints.access");
  const id = useId();
  const client = useQueryClient();
  const isShared = useQuery(meQuery()).data?.hasAccounts ?? false;
  const choice = useChosen(
    access,
    (to) => setAccess(name, to),
    () => client.invalidateQueries({ queryKey: ["endpoints", name] }),
  );
  // Without accounts there is one person: what is private is the project's.
  const choices = endpointAccessSchema.options.filter(
    (each) => isShared || each !== "private" || access === "private",
  );
  return (
    <section className="mb-12" id="access">
      <h2 className="mb-2" id={id}>
        {t("title")}
      </h2>
      <div role="radiogroup" aria-labelledby={id} className="grid gap-2">
        {choices.map((each) => (
          <label key={each} className="flex min-h-6 items-start gap-3">
            <input
              type="radio"
              name={id}
              className="mt-1 size-4 accent-accent"
              checked={choice.value === each}
              disabled={choice.isChanging}
              onChange={() => choice.choose(each)}
            />
            <span>
              {t(`choices.${each}`)}
              <span className="block max-w-[68ch] text-muted">{t(`hints.${each}`)}</span>
            </span>
          </label>
        ))}
      </div>
      <p role="status" className="mt-2 text-muted">
        {choice.value === "project" ? (
          <>
            {t("needsToken")}{" "}
            <Link href={`/settings/tokens?endpoint=${name}`}>{t("makeToken")}</Link>
          </>
        ) : null}
      </p>
      {choice.error ? <ErrorNote title={t("failed")} error={choice.error} /> : null}
    </section>
  );
}
