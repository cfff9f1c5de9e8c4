"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { runMachineChecks } from "@/components/doctor";
import { CopyButton, ErrorNote, formatDuration, Skeleton, StateMark } from "@/components/ui";
import type { MachineCheck, MachineChecks } from "@/lib/common/contract";

/** Everything that `npm run doctor` looks at, on the page: what was found, why it matters, and the line that fixes it. */
export function DoctorSection() {
  const t = useTranslations("settings.doctor");
  const checks = useMutation({ mutationFn: runMachineChecks });
  const { mutate } = checks;
  useEffect(() => mutate(), [mutate]);
  return (
    <>
      <p className="mb-4 max-w-prose text-muted">{t("intro")}</p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <button
          type="button"
          className="btn"
          disabled={checks.isPending}
          aria-busy={checks.isPending}
          onClick={() => mutate()}
        >
          {t(checks.isPending ? "running" : checks.data ? "again" : "run")}
        </button>
        {checks.data ? (
          <CopyButton text={JSON.stringify(checks.data, null, 2)}>{t("copy")}</CopyButton>
        ) : null}
        <p role="status" className="text-dense text-muted">
          {checks.data ? <Verdict {...checks.data} /> : null}
        </p>
      </div>
      {checks.isError ? (
        <ErrorNote title={t("unreadable")} error={checks.error} onRetry={() => mutate()} />
      ) : checks.data ? (
        <Checks checks={checks.data.checks} />
      ) : (
        <Skeleton lines={12} height={36} />
      )}
    </>
  );
}

function Verdict({ checks, tookMs }: MachineChecks) {
  const t = useTranslations("settings.doctor");
  const lacking = checks.filter(({ ok, needed }) => needed && !ok).length;
  return (
    <>
      {t("ran", { count: checks.length, took: formatDuration(tookMs) })}.{" "}
      {lacking === 0 ? t("all") : t("lacking", { count: lacking })}
    </>
  );
}

const order = ({ ok, needed }: MachineCheck) => (ok ? 2 : needed ? 0 : 1);

function Checks({ checks }: { checks: readonly MachineCheck[] }) {
  const t = useTranslations("settings.doctor");
  return (
    <table className="table list">
      <thead>
        <tr>
          <th scope="col">{t("check")}</th>
          <th scope="col">{t("result")}</th>
          <th scope="col">{t("found")}</th>
          <th scope="col">{t("why")}</th>
          <th scope="col">{t("fix")}</th>
        </tr>
      </thead>
      <tbody>
        {checks
          .toSorted((a, b) => order(a) - order(b))
          .map((check) => (
            <Check key={check.name} check={check} />
          ))}
      </tbody>
    </table>
  );
}

function Check({
  check: { name, ok, needed, found, wanted, unlocks, fix },
}: {
  check: MachineCheck;
}) {
  const t = useTranslations("settings.doctor");
  const result = ok ? "ok" : needed ? "bad" : "optional";
  const tone = ok ? "ok" : needed ? "bad" : "idle";
  return (
    <tr>
      <td className="list-title font-strong">{name}</td>
      <td className="list-line" data-label={t("result")}>
        <StateMark appearance={{ tone, label: t(result), why: "" }} />
      </td>
      <td className="list-line" data-label={t("found")}>
        <span className="text-dense wrap-anywhere">
          {found ?? "–"}
          <span className="block text-muted">
            {t("wanted")}: {wanted}
          </span>
        </span>
      </td>
      <td className="list-line" data-label={t("why")}>
        <span className="text-dense">{unlocks}</span>
      </td>
      <td className="list-line" data-label={t("fix")}>
        {ok ? (
          <span className="text-muted">–</span>
        ) : (
          <span className="inline-flex flex-wrap items-center gap-1">
            <code className="wrap-anywhere">{fix}</code>
            <CopyButton text={fix} label={t("copyFix", { name })} />
          </span>
        )}
      </td>
    </tr>
  );
}
