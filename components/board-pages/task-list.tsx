"use client";

import { useTranslations } from "next-intl";
import { Age, type Appearance, formatDuration, Section, StateMark } from "@/components/ui";
import type { BoardDetail, BoardTask } from "@/lib/common/contract";

const tone = { waiting: "idle", running: "run", succeeded: "ok", failed: "bad" } as const;

/** Tests and blinks that were asked for lately, and how they went. */
export function TaskList({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.tasks");
  return (
    <Section id="tasks" title={t("title")}>
      {board.tasks.length === 0 ? (
        <p className="text-muted">{t("none")}</p>
      ) : (
        <ul className="border-t border-line text-dense" aria-live="polite">
          {board.tasks.map((task) => (
            <Task key={task.id} task={task} isAlone={board.slots.length === 1} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Task({ task, isAlone }: { task: BoardTask; isAlone: boolean }) {
  const t = useTranslations("boards");
  const { kind, state, place, endpoint, durationMs, problem, createdAt } = task;
  const word = state === "succeeded" && kind === "blink" ? "blinked" : state;
  const appearance: Appearance = { tone: tone[state], label: t(`tasks.${word}`), why: "" };
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line py-2">
      <span className="font-strong">{t(`tasks.${kind}`)}</span>
      <StateMark appearance={appearance} />
      {kind === "self-test" ? (
        <span className="min-w-0 break-words">
          {endpoint ?? ""}
          {isAlone ? null : (
            <span className="text-muted"> {t("place", { number: place + 1 })}</span>
          )}
        </span>
      ) : null}
      <Outcome task={task} />
      {durationMs === null ? null : (
        <span className="text-muted">{formatDuration(durationMs)}</span>
      )}
      <span className="ml-auto text-muted">
        <Age time={createdAt} />
      </span>
      {problem ? <p className="w-full break-words text-bad">{problem.message}</p> : null}
      {problem?.hint ? <p className="w-full break-words text-muted">{problem.hint}</p> : null}
    </li>
  );
}

function Outcome({ task: { kind, state, rows } }: { task: BoardTask }) {
  const t = useTranslations("boards.tasks");
  if (kind !== "self-test" || state !== "succeeded" || rows === null) return null;
  return (
    <span className="text-muted">{rows > 0 ? t("rows", { count: rows }) : t("answered")}</span>
  );
}
