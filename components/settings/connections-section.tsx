"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { meQuery } from "@/components/me";
import { ErrorNote, formatDigits, Loaded, Section, Skeleton, StateMark } from "@/components/ui";
import type { Connection, SourceConnection } from "@/lib/common/contract";
import { connectionsQuery, testConnection } from "./api";

/** The stores and processes that the portal reaches, each to be tested, and from where models may come. */
export function ConnectionsSection() {
  const t = useTranslations("settings.connections");
  const mayLook = useQuery(meQuery()).data?.rights.includes("members") ?? false;
  const query = useQuery({ ...connectionsQuery(), enabled: mayLook });
  if (!mayLook) return null;
  return (
    <Section title={t("title")} id="installation">
      <p className="mb-6 max-w-prose text-muted">
        {t("intro")} {t("env")}
      </p>
      <Loaded query={query} loading={<Skeleton lines={4} height={72} />} failure={t("unreadable")}>
        {({ items, sources }) => (
          <>
            <ul className="mb-10 max-w-[840px] border-t border-line">
              {items.map((connection) => (
                <OneConnection key={connection.id} connection={connection} />
              ))}
            </ul>
            <Section title={t("sources")} id="sources">
              <p className="max-w-prose">
                {t("schemes", {
                  schemes: sources.schemes.map((scheme) => `${scheme}://`).join(", "),
                })}
              </p>
              <p className="mt-1 max-w-prose break-words">
                {sources.allowedHosts.length > 0
                  ? t("hosts", { hosts: sources.allowedHosts.join(", ") })
                  : t("noHosts")}
              </p>
              {sources.connections.length > 0 ? (
                <ul className="mt-3 max-w-[840px] border-t border-line">
                  {sources.connections.map((connection) => (
                    <OneSource key={connection.name} connection={connection} />
                  ))}
                </ul>
              ) : (
                <p className="mt-1 max-w-prose">{t("noConnections")}</p>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** A store or a host of the operator's own, and which addresses lead there. */
function OneSource({ connection }: { connection: SourceConnection }) {
  const t = useTranslations("settings.connections");
  const isStore = connection.kind === "s3";
  return (
    <li className="border-b border-line py-2 text-dense">
      <b>{connection.name}</b>{" "}
      <code className="break-all text-muted">
        {isStore ? connection.endpoint : `https://${connection.host}`}
      </code>
      {isStore ? (
        <p className="text-muted">
          {t("buckets")}: <code className="break-all">{connection.buckets.join(", ")}</code>
        </p>
      ) : null}
    </li>
  );
}

function OneConnection({ connection: { id, address, buckets } }: { connection: Connection }) {
  const t = useTranslations("settings.connections");
  const test = useMutation({ mutationFn: () => testConnection(id) });
  const name = t(`names.${id}`);
  const { data } = test;
  return (
    <li className="border-b border-line py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h3>{name}</h3>
          <p className="text-dense text-muted">
            {address === null ? t("unknown") : <code className="break-all">{address}</code>}
          </p>
          {buckets ? (
            <p className="text-dense text-muted">
              {t("buckets")}: <code className="break-all">{buckets.join(", ")}</code>
            </p>
          ) : null}
        </div>
        <button
          type="button"
          className="btn btn-dense"
          aria-label={t("testOf", { name })}
          disabled={test.isPending}
          aria-busy={test.isPending}
          onClick={() => test.mutate()}
        >
          {t(test.isPending ? "testing" : "test")}
        </button>
      </div>
      <div role="status" className="mt-1 text-dense">
        {data ? (
          <>
            <p>
              <StateMark
                appearance={{
                  tone: data.ok ? "ok" : "bad",
                  label: t(data.ok ? "ok" : "failed"),
                  why: "",
                }}
              />{" "}
              <span className="text-muted">{t("took", { ms: formatDigits(data.tookMs) })}</span>
            </p>
            <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4">
              <dt className="text-muted">{t("asked")}</dt>
              <dd>
                <code className="break-words">{data.asked}</code>
              </dd>
              <dt className="text-muted">{t("answer")}</dt>
              <dd className="break-words">{data.answer}</dd>
            </dl>
          </>
        ) : null}
      </div>
      {test.isError ? <ErrorNote title={t("failed")} error={test.error} /> : null}
    </li>
  );
}
