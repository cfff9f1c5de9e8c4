"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import type { StageName } from "@/lib/common/contract";
import { logFileUrl } from "../api";
import { FindBar } from "./find-bar";
import { FollowButton } from "./follow-button";
import { LogAbsence } from "./log-absence";
import { onLogKey } from "./log-keys";
import { LogLines } from "./log-lines";
import { useLogMemory } from "./log-memory";
import { LogPosition } from "./log-position";
import { LogToolbar } from "./log-toolbar";
import { ProblemList } from "./problem-list";
import { SilenceNote } from "./silence-note";
import { SpokenProgress } from "./spoken-progress";
import { useFullScreen } from "./use-full-screen";
import { useLog } from "./use-log";
import { useLogView } from "./use-log-view";

interface LogViewerProps {
  readonly buildId: string;
  readonly attempt: number;
  readonly running: boolean;
  readonly failedStage: StageName | null;
}

/**
 * The log of one attempt: folds by stage, follows while it grows, links by line, finds over all of it. Only visible rows are mounted, and
 * only lines that are looked at are fetched.
 */
export function LogViewer({ buildId, attempt, running, failedStage }: LogViewerProps) {
  const t = useTranslations("builds.log");
  const log = useLog(buildId, attempt, running);
  const [memory, remember] = useLogMemory();
  const view = useLogView(log, { buildId, attempt, running, failedStage, memory });
  const { selection, problems, find, content } = view;
  const section = useRef<HTMLElement>(null);
  const fullScreen = useFullScreen(section);
  return (
    <>
      <ProblemList outline={log.outline} onShow={view.show} />
      {running ? <SilenceNote buildId={buildId} log={log} /> : null}
      <section
        ref={section}
        aria-label={t("name")}
        className="well relative flex max-h-[min(72vh,760px)] flex-col overflow-hidden max-desk:max-h-[64vh]"
        onKeyDown={(event) => onLogKey(event, view)}
      >
        <LogToolbar
          lineCount={log.outline.lines}
          readSelected={selection.range ? selection.readText : null}
          hasProblems={problems.count > 0}
          memory={memory}
          fullScreen={fullScreen}
          fileUrl={(file) => logFileUrl(buildId, attempt, file)}
          container={section}
          onFind={find.open}
          onNextProblem={problems.next}
          onFolds={(folds) => {
            content.forget();
            remember({ folds });
          }}
          onChange={remember}
        />
        {find.isOpen ? (
          <FindBar find={find} onEscape={() => view.scroller.element.current?.focus()} />
        ) : null}
        <LogAbsence log={log} running={running} />
        <LogLines attempt={attempt} log={log} view={view} memory={memory} running={running} />
        <LogPosition view={view} />
        {running ? <FollowButton following={view.following} /> : null}
        <SpokenProgress folds={content.folds} running={running} />
      </section>
    </>
  );
}
