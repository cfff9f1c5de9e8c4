"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryStates } from "nuqs";
import { CursorPages, SearchBox } from "@/components/lists";
import { meQuery } from "@/components/me";
import { formatBytes, formatCount, Loaded, Section, Skeleton } from "@/components/ui";
import { type ProjectQuotas, type QuotaName, quotaNames } from "@/lib/common/contract";
import { quotasQuery } from "./api";
import { QuotaForm } from "./quota-form";

const parsers = { search: parseAsString.withDefault(""), cursor: parseAsString.withDefault("") };

/** How much each project may take, how much it takes, and for whoever runs the installation the form that sets it. */
export function QuotaSettings() {
  const t = useTranslations("quotas");
  const [{ search, cursor }, set] = useQueryStates(parsers, { history: "push" });
  const mayChange = useQuery(meQuery()).data?.rights.includes("admin") ?? false;
  const page = useQuery({
    ...quotasQuery({ search: search.trim(), cursor }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <p className="mb-6 max-w-prose text-muted">
        {t("intro")} {mayChange ? "" : t("whoSets")}
      </p>
      {mayChange ? (
        <search className="mb-6 block">
          <SearchBox
            text={search}
            placeholder={t("search")}
            onSearch={(text) => void set({ search: text || null, cursor: null })}
          />
        </search>
      ) : null}
      <Loaded
        query={page}
        loading={<Skeleton lines={6} height={48} />}
        failure={t("unreadable")}
        empty={
          <p className="text-muted">{t(search.trim() === "" ? "noProject" : "noneMatches")}</p>
        }
      >
        {({ items, ...ways }) => (
          <div
            aria-busy={page.isPlaceholderData}
            className={page.isPlaceholderData ? "opacity-60" : ""}
          >
            {items.map((quotas) => (
              <OfProject key={quotas.project.id} quotas={quotas} mayChange={mayChange} />
            ))}
            <CursorPages cursor={cursor} page={ways} onGo={(to) => void set({ cursor: to })} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function OfProject({
  quotas,
  mayChange,
}: {
  readonly quotas: ProjectQuotas;
  readonly mayChange: boolean;
}) {
  const t = useTranslations("quotas");
  const { name } = quotas.project;
  return (
    <Section title={t("ofProject", { project: name })} id={`quotas-${name}`}>
      <Bars quotas={quotas} />
      {mayChange ? (
        <details className="mb-8">
          <summary className="cursor-pointer text-accent">
            {t("changeOf", { project: name })}
          </summary>
          <QuotaForm key={JSON.stringify(quotas.limits)} quotas={quotas} />
        </details>
      ) : null}
    </Section>
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
            used={
              name === "requestsPerSecondEach" || name === "runningBuildsEach" ? null : used[name]
            }
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
