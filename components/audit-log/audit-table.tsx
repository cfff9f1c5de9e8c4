import Link from "next/link";
import { useTranslations } from "next-intl";
import { Age, type Appearance, StateMark, shortId } from "@/components/ui";
import type { AuditEntry, AuditResult } from "@/lib/common/contract";
import { targetHref } from "./target-href";

const tones = {
  done: "ok",
  refused: "warn",
  failed: "bad",
  unknown: "idle",
} as const satisfies Record<AuditResult, Appearance["tone"]>;

/** Entries of the audit log, one below the other; on a phone, each as a card. */
export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const t = useTranslations("auditLog");
  return (
    <table className="table list">
      <caption className="sr-only">{t("caption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("columns.action")}</th>
          <th scope="col">{t("columns.target")}</th>
          <th scope="col">{t("columns.actor")}</th>
          <th scope="col">{t("columns.result")}</th>
          <th scope="col">{t("columns.from")}</th>
          <th scope="col">{t("columns.at")}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const t = useTranslations("auditLog");
  const { action, actor, project, result, reason, times, address, requestId, at } = entry;
  return (
    <tr>
      <td className="list-title">
        <code className="break-all">{action}</code>
      </td>
      <td className="list-line" data-label={t("columns.target")}>
        <span className="min-w-0 wrap-anywhere">
          <Target target={entry.target} />
          {project?.name ? (
            <span className="block text-dense text-muted">
              {t("inProject", { project: project.name })}
            </span>
          ) : null}
        </span>
      </td>
      <td className="list-line" data-label={t("columns.actor")}>
        <span className="min-w-0 wrap-anywhere">
          {actor.name ?? t(`kinds.${actor.kind}`)}
          {actor.name === null || actor.kind === "person" ? null : (
            <span className="block text-dense text-muted">{t(`kinds.${actor.kind}`)}</span>
          )}
        </span>
      </td>
      <td className="list-line" data-label={t("columns.result")}>
        <span>
          <StateMark appearance={{ tone: tones[result], label: t(`results.${result}`), why: "" }} />
          {times > 1 ? <> {t("times", { count: times })}</> : null}
          {reason === null ? null : (
            <Link className="block text-dense" href={`/errors/${reason}`}>
              {reason}
            </Link>
          )}
        </span>
      </td>
      <td className="list-line" data-label={t("columns.from")}>
        <span className="text-dense">
          {address ?? "–"}
          {requestId === null ? null : (
            <span className="block text-muted" title={requestId}>
              {shortId(requestId)}
            </span>
          )}
        </span>
      </td>
      <td className="list-line text-dense text-muted" data-label={t("columns.at")}>
        <Age time={at} />
      </td>
    </tr>
  );
}

function Target({ target }: { readonly target: AuditEntry["target"] }) {
  const t = useTranslations("auditLog");
  if (target === null) return <>–</>;
  const { noun, id, name } = target;
  const href = targetHref(target);
  const called = name ?? (id === null ? null : shortId(id));
  const kind = t.has(`nouns.${noun as "endpoint"}`) ? t(`nouns.${noun as "endpoint"}`) : noun;
  if (called === null) return href === null ? kind : <Link href={href}>{kind}</Link>;
  return (
    <>
      {href === null ? <b>{called}</b> : <Link href={href}>{called}</Link>}
      <span className="block text-dense text-muted">{kind}</span>
    </>
  );
}
