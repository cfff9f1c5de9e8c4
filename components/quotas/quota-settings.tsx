"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { meQuery } from "@/components/me";
import { formatBytes, formatCount, Loaded, Section, Skeleton } from "@/components/ui";
import { type ProjectQuotas, type QuotaName, quotaNames } from "@/lib/common/contract";
import { quotasQuery } from "./api";
import { QuotaForm } from "./quota-form";

/** How much each project may take, how much it takes, and for whoever runs the installation the form that sets it. */
export function QuotaSettings() {
  const t = useTranslations("quotas");
  const mayChange = useQuery(meQuery()).data?.rights.includes("admin") ?? false;
  return (
    <>
      <p className="mb-6 max-w-prose text-muted">
        {t("intro")} {mayChange ? "" : t("whoSets")}
      </p>
      <Loaded
        query={useQuery(quotasQuery())}
        loading={<Skeleton lines={6} height={48} />}
        failure={t("unreadable")}
        empty={<p className="text-muted">{t("noProject")}</p>}
      >
        {({ items }) =>
          items.map((quotas) => (
            <Section
              key={quotas.project.id}
              title={t("ofProject", { project: quotas.project.name })}
              id={`quotas-${quotas.project.name}`}
            >
              <Bars quotas={quotas} />
              {mayChange ? (
                <details className="mb-8">
                  <summary className="cursor-pointer text-accent">
                    {t("changeOf", { project: quotas.project.name })}
                  </summary>
                  <QuotaForm key={JSON.stringify(quotas.limits)} quotas={quotas} />
                </details>
              ) : null}
            </Section>
          ))
        }
      </Loaded>
    </>
  );
}

function Bars({ quotas: { limits, used, isUsual } }: { readonly quotas: ProjectQuotas }) {
  const t = useTranslations("quotas");
  return (
    <>
      <ul className="max-w-[640px]">
        {quotaNames.map((name) => (
          <Bar
            key={name}
            name={name}
            used={name === "requestsPerSecondEach" ? null : used[name]}
            limit={limits[name]}
          />
        ))}
      </ul>
      {isUsual ? <p className="mb-2 text-dense text-muted">{t("usual")}</p> : null}
    </>
  );
}

function Bar({
  name,
  used,
  limit,
}: {
  readonly name: QuotaName;
  /** Null: it is of each person, and of nobody in particular. */
  readonly used: number | null;
  readonly limit: number | null;
}) {
  const t = useTranslations("quotas");
  const show = (value: number) =>
    name === "storageBytes" ? formatBytes(value) : formatCount(Math.round(value));
  const share = limit === null || used === null ? 0 : limit === 0 ? 1 : used / limit;
  return (
    <li className="mb-3">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-dense">
        <span>{t(`names.${name}`)}</span>
        <span>
          {used === null
            ? limit === null
              ? t("none")
              : t("most", { limit: show(limit) })
            : limit === null
              ? t("unlimited", { used: show(used) })
              : t("of", { used: show(used), limit: show(limit) })}
          {share >= 1 ? <span className="text-bad"> {t("full")}</span> : null}
        </span>
      </div>
      {limit === null || used === null ? null : (
        <div className="bar" aria-hidden="true">
          <i className="bar-fill" style={{ width: `${Math.min(100, share * 100)}%` }} />
        </div>
      )}
    </li>
  );
}
