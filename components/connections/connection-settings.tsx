"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { meQuery } from "@/components/me";
import { Loaded, Section, Skeleton } from "@/components/ui";
import { projectConnectionsQuery } from "./api";
import { ConnectionForm } from "./connection-form";
import { ConnectionRow } from "./connection-row";

/** The stores and hosts that models of the project come from, and for its admins the form that adds one. */
export function ConnectionSettings() {
  const t = useTranslations("connections");
  const mayChange = useQuery(meQuery()).data?.rights.includes("members") ?? false;
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={t("title")}
      id="project"
      aside={
        mayChange && !isAdding ? (
          <button type="button" className="btn btn-dense" onClick={() => setAdding(true)}>
            {t("add")}
          </button>
        ) : null
      }
    >
      <p className="mb-4 max-w-prose text-muted">
        {t("intro")} {mayChange ? "" : t("whoMay")}
      </p>
      {isAdding ? (
        <div className="mb-6 border-l-2 border-line pl-4">
          <ConnectionForm onDone={() => setAdding(false)} />
        </div>
      ) : null}
      <Loaded
        query={useQuery(projectConnectionsQuery())}
        loading={<Skeleton lines={3} height={72} />}
        failure={t("unreadable")}
        empty={isAdding ? null : <p className="text-muted">{t("none")}</p>}
      >
        {({ items }) => (
          <ul className="max-w-[840px] border-t border-line" aria-label={t("title")}>
            {items.map((each) =>
              "kind" in each ? (
                <ConnectionRow key={each.id} connection={each} mayChange={mayChange} />
              ) : (
                <li key={each.id} className="border-b border-line py-3 break-words">
                  {each.name}
                </li>
              ),
            )}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
