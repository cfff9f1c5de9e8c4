"use client";

import { useState } from "react";
import type { StageName } from "@/lib/common/contract";
import { rawLogUrl } from "../api";
import { FindBar } from "./find-bar";
import { FollowButton } from "./follow-button";
import { LogAbsence } from "./log-absence";
import { onLogKey } from "./log-keys";
import { LogLines } from "./log-lines";
import { LogToolbar } from "./log-toolbar";
import { SpokenProgress } from "./spoken-progress";
import { useLog } from "./use-log";
import { useLogView } from "./use-log-view";

interface LogViewerProps {
  readonly buildId: string;
  readonly attempt: number;
  readonly running: boolean;
  readonly failedStage: StageName | null;
}

/**
 * The log of one attempt: folds by stage, follows while it grows, links by line, finds over all of it. Only visible rows are mounted.
 */
export function LogViewer({ buildId, attempt, running, failedStage }: LogViewerProps) {
  const log = useLog(buildId, attempt, running);
  const view = useLogView(log, { attempt, running, failedStage });
  const [wrap, setWrap] = useState(false);
  const { selection, problems, find } = view;
  return (
    <section
      aria-label="Log"
      className="well relative flex h-[min(72vh,760px)] min-h-80 flex-col overflow-hidden max-desk:h-[64vh]"
      onKeyDown={(event) => onLogKey(event, view)}
    >
      <LogToolbar
        lineCount={log.lines.length}
        selected={selection.range ? selection.text : null}
        hasProblems={problems.count > 0}
        wrap={wrap}
        raw={{ href: rawLogUrl(buildId, attempt), fileName: `${buildId}-${attempt}.log` }}
        onFind={find.open}
        onNextProblem={problems.next}
        onWrap={setWrap}
      />
      {find.isOpen ? (
        <FindBar find={find} onEscape={() => view.scroller.element.current?.focus()} />
      ) : null}
      <LogAbsence log={log} running={running} />
      <LogLines attempt={attempt} lines={log.lines} view={view} wrap={wrap} />
      {running ? <FollowButton following={view.following} /> : null}
      <SpokenProgress folds={view.content.folds} running={running} />
    </section>
  );
}
