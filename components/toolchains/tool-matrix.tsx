"use client";

import { useTranslations } from "next-intl";
import { Age, CopyButton, formatCount, StateMark } from "@/components/ui";
import type { BuildWorker } from "@/lib/common/contract";
import type { Toolchain } from "./toolchains";

interface Row {
  readonly command: string;
  /** Board models that need it, of those that have a flow. */
  readonly boards: number;
  readonly fix: string | null;
}

/** Every tool that some runner has or lacks: those that boards need first. */
export function toolRows(workers: readonly BuildWorker[], toolchains: readonly Toolchain[]): Row[] {
  const commands = new Set(
    workers.flatMap(({ tools, missing }) => [
      ...Object.keys(tools ?? {}),
      ...(missing ?? []).map(({ command }) => command),
    ]),
  );
  const hints = new Map(
    workers.flatMap(({ missing }) =>
      (missing ?? []).map(({ command, hint }) => [command, hint] as const),
    ),
  );
  const boardsOf = (command: string) =>
    toolchains
      .filter(({ tools }) => tools.some((tool) => tool.command === command))
      .reduce((sum, { boards }) => sum + boards.length, 0);
  return [...commands]
    .map((command) => ({
      command,
      boards: boardsOf(command),
      fix: hints.get(command) ?? null,
    }))
    .sort((a, b) => b.boards - a.boards || a.command.localeCompare(b.command));
}

/** Runners against tools, in words: which version each has, or that it has none, and the line that brings it. */
export function ToolMatrix({
  workers,
  toolchains,
}: {
  workers: readonly BuildWorker[];
  toolchains: readonly Toolchain[];
}) {
  const t = useTranslations("toolchains.matrix");
  const rows = toolRows(workers, toolchains);
  if (workers.length === 0) return <p>{t("nobody")}</p>;
  if (rows.length === 0) return <p role="status">{t("looking")}</p>;
  return (
    <table className="table list">
      <caption className="sr-only">{t("title")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("tool")}</th>
          {workers.map(({ name, host, seenAt }) => (
            <th key={name} scope="col" title={name}>
              {host}{" "}
              <span className="font-normal">
                <Age time={seenAt} />
              </span>
            </th>
          ))}
          <th scope="col" className="num">
            {t("boards")}
          </th>
          <th scope="col">{t("fix")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ command, boards, fix }) => (
          <tr key={command}>
            <td className="list-title">
              <code>{command}</code>
            </td>
            {workers.map((worker) => (
              <td key={worker.name} className="list-line" data-label={worker.host}>
                <Found worker={worker} command={command} />
              </td>
            ))}
            <td className="list-line num" data-label={t("boards")}>
              {boards > 0 ? formatCount(boards) : "–"}
            </td>
            <td className="list-line" data-label={t("fix")}>
              {fix === null ? (
                <span className="text-muted">–</span>
              ) : (
                <span className="inline-flex flex-wrap items-center gap-1">
                  <code className="break-words">{fix}</code>
                  <CopyButton text={fix} label={t("copy", { command })} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Found({ worker, command }: { worker: BuildWorker; command: string }) {
  const t = useTranslations("toolchains.matrix");
  const version = worker.tools?.[command];
  if (version !== undefined) {
    return (
      <span className="text-dense">
        <StateMark appearance={{ tone: "ok", label: t("found"), why: "" }} />{" "}
        <span className="break-words text-muted">{version}</span>
      </span>
    );
  }
  const isMissing = worker.missing?.some((tool) => tool.command === command);
  return (
    <StateMark
      appearance={{
        tone: isMissing ? "warn" : "idle",
        label: t(isMissing ? "missing" : "absent"),
        why: "",
      }}
    />
  );
}
