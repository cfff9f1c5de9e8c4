"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { CursorPages } from "@/components/lists";
import { meQuery } from "@/components/me";
import { Loaded, Skeleton } from "@/components/ui";
import { auditResults } from "@/lib/common/contract";
import { toAppError } from "@/lib/common/errors";
import { auditPath, auditQuery } from "./api";
import { type AuditChoice, AuditFilters } from "./audit-filters";
import { AuditTable } from "./audit-table";

const parsers = {
  actor: parseAsString.withDefault(""),
  action: parseAsString.withDefault(""),
  target: parseAsString.withDefault(""),
  project: parseAsString.withDefault(""),
  result: parseAsStringLiteral(["", ...auditResults]).withDefault(""),
  from: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  cursor: parseAsString.withDefault(""),
};

const rowsPerPage = 50;
const dayMs = 24 * 3600 * 1000;

/** Who did what, when and from where: what the address chooses of it, page by page, and all of that as a file. */
export function AuditLog() {
  const t = useTranslations("auditLog");
  const [{ cursor, ...chosen }, set] = useQueryStates(parsers, { history: "push" });
  const { actor, action, target, project, result, from, to } = chosen;
  const seesAll = useQuery(meQuery()).data?.rights.includes("admin") ?? false;
  // The same object while the address is the same.
  const choice = useMemo(
    () => ({ actor, action, target, project, result, from, to }),
    [actor, action, target, project, result, from, to],
  );
  const filter = filterOf(choice);
  const page = useQuery({
    ...auditQuery(pageOf(filter, cursor)),
    placeholderData: keepPreviousData,
  });
  if (page.isError && toAppError(page.error).reason === "FORBIDDEN")
    return <p className="max-w-prose text-muted">{t("noRight")}</p>;
  return (
    <>
      <p className="mb-4 max-w-prose text-muted">{t("intro")}</p>
      <AuditFilters
        chosen={choice}
        seesAll={seesAll}
        onChoose={(next) => void set({ ...toAddress(next), cursor: null })}
      />
      <div
        aria-busy={page.isPlaceholderData}
        className={page.isPlaceholderData ? "opacity-60" : ""}
      >
        <Loaded
          query={page}
          loading={<Skeleton lines={12} height={28} />}
          failure={t("unreadable")}
          empty={
            <p className="max-w-prose text-muted">{t(filter.size > 0 ? "noneMatches" : "none")}</p>
          }
        >
          {({ items, ...ways }) => (
            <>
              <AuditTable entries={items} />
              <CursorPages
                cursor={cursor}
                page={ways}
                words={{ first: t("newest"), previous: t("newer"), next: t("older") }}
                onGo={(to) => void set({ cursor: to })}
              >
                <span className="ml-auto flex gap-1">
                  {(["csv", "jsonl"] as const).map((format) => (
                    <a
                      key={format}
                      className="btn btn-quiet btn-dense"
                      href={`${auditPath}?${exportOf(filter, format)}`}
                      download
                    >
                      {t(`exports.${format}`)}
                    </a>
                  ))}
                </span>
              </CursorPages>
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

const toAddress = (choice: AuditChoice) => ({
  ...choice,
  result: auditResults.find((each) => each === choice.result) ?? ("" as const),
});

/** The API's query for a choice. Days are those of the reader, and the last one is whole. */
function filterOf(choice: AuditChoice): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of ["actor", "action", "target", "project", "result"] as const)
    if (choice[name].trim() !== "") query.set(name, choice[name].trim());
  const from = startOf(choice.from);
  const to = startOf(choice.to);
  if (from !== null) query.set("from", from.toISOString());
  if (to !== null) query.set("to", new Date(to.getTime() + dayMs).toISOString());
  return query;
}

function startOf(day: string): Date | null {
  const time = new Date(`${day}T00:00:00`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(time.getTime()) ? time : null;
}

function pageOf(filter: URLSearchParams, cursor: string): string {
  const query = new URLSearchParams(filter);
  query.set("limit", String(rowsPerPage));
  if (cursor !== "") query.set("cursor", cursor);
  return String(query);
}

function exportOf(filter: URLSearchParams, format: string): string {
  const query = new URLSearchParams(filter);
  query.set("format", format);
  return String(query);
}
