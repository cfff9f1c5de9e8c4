"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ErrorNote, formatBytes, formatCount, saveFile, shortDigest } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import type { Prediction, Refusal } from "../request/predict";
import { Comparison } from "./comparison";
import { Controls } from "./controls";
import { DownloadBar } from "./download-bar";
import type { FileToFetch, Goal } from "./messages";
import { Problem } from "./problem";
import { problemInWords } from "./problem-in-words";
import { type CoreManifest, type RequestRows, readRows } from "./rows";
import { useSimulation } from "./use-simulation";
import { VectorsLine } from "./vectors-line";
import { Waveform } from "./wave/waveform";

/** What stands in the Try tab above. */
export interface EditorRow {
  readonly endpoint: Endpoint;
  /** The request in the editor. */
  readonly text: string;
  /** What the endpoint answered to this very text, if it was asked. */
  readonly answer: Prediction | Refusal | null;
  /** Asks the endpoint the same. */
  readonly onAsk: () => void;
}

interface DesignRunnerProps extends EditorRow {
  readonly digest: string;
  readonly manifest: CoreManifest;
  readonly simulation: FileToFetch;
  readonly vectors: FileToFetch | null;
}

/** Loads the design when asked, and runs the editor's row through it. */
export function DesignRunner(props: DesignRunnerProps) {
  const t = useTranslations("simulate");
  const run = useDesignRun(props);
  return (
    <>
      <p className="mt-2 max-w-[68ch] text-muted">{t("intro")}</p>
      {run.view.phase === "ready" ? (
        <LoadedDesign props={props} run={run} />
      ) : (
        <UnloadedDesign sizeBytes={props.simulation.file.sizeBytes} run={run} />
      )}
    </>
  );
}

/** The simulation of a design, and the editor's row in it. */
function useDesignRun({
  endpoint,
  text,
  answer,
  onAsk,
  manifest,
  simulation,
}: Omit<DesignRunnerProps, "vectors" | "digest">) {
  const { view, ask } = useSimulation();
  const [rowIndex, setRowIndex] = useState(0);
  /** The row in the core, and the text that it was read from. */
  const [started, setStarted] = useState<{ text: string; row: number } | null>(null);
  const [refused, setRefused] = useState<Error | null>(null);
  const rows = tryReadRows(manifest, text);
  const row = Math.min(rowIndex, Math.max(0, (rows.read?.count ?? 1) - 1));
  const isSameRow = started?.text === text && started.row === row;

  useEffect(() => {
    if (view.dump) saveFile(`${endpoint.name}-row-${(started?.row ?? 0) + 1}.vcd`, view.dump);
  }, [view.dump, endpoint.name, started?.row]);

  const start = (): boolean => {
    setRefused(rows.error);
    if (!rows.read) return false;
    ask({ kind: "start", row: rows.read.bytesOf(row) });
    setStarted({ text, row });
    return true;
  };
  return {
    view,
    ask,
    /** Why the editor's text is no row for this design; null where it was not asked, or is one. */
    refused,
    rows: rows.read?.count ?? 1,
    row,
    setRow: setRowIndex,
    startedRow: started?.row ?? 0,
    isSameRow,
    start,
    load(afresh: boolean) {
      const bytes = rows.read?.bytesOf(row) ?? null;
      ask({ kind: "load", simulation, core: manifest.core, row: bytes, afresh });
      setRefused(rows.error);
      setStarted(bytes && { text, row });
      if (bytes && !answer) onAsk();
    },
    advance(goal: Goal) {
      const isOver = goal === "answer" && Boolean(view.progress?.answer);
      if ((!isSameRow || isOver) && !start()) return;
      ask({ kind: "advance", goal });
      if (goal === "answer" && !answer) onAsk();
    },
  };
}

type DesignRun = ReturnType<typeof useDesignRun>;

function LoadedDesign({ props, run }: { props: DesignRunnerProps; run: DesignRun }) {
  const t = useTranslations("simulate");
  const { endpoint, answer, digest, manifest, simulation, vectors } = props;
  const { view, ask, isSameRow } = run;
  const stop = () => ask({ kind: "stop" });
  return (
    <>
      <p className="mt-2 text-dense text-muted">
        {t.rich("checked", {
          size: formatBytes(simulation.file.sizeBytes),
          file: () => <Digest digest={simulation.file.digest} />,
          artifact: () => <Digest digest={digest} />,
          count: view.cells,
          cells: formatCount(view.cells),
        })}
      </p>
      <Controls
        rows={run.rows}
        row={run.row}
        onRow={run.setRow}
        view={view}
        isSameRow={isSameRow}
        onAdvance={run.advance}
        onReset={run.start}
        onStop={stop}
        onDump={() =>
          ask({
            kind: "dump",
            clockHz: manifest.clockHz ?? defaultClockHz,
            comment: `Boardwalk, endpoint ${endpoint.name}, artifact ${digest}`,
          })
        }
      />
      <Refused run={run} />
      <Failure run={run} />
      {view.progress?.answer ? (
        <Comparison
          manifest={manifest}
          answer={view.progress.answer}
          endpointAnswer={isSameRow ? answer : null}
          row={run.startedRow}
          labels={endpoint.labels}
        />
      ) : null}
      {view.trace ? <Waveform trace={view.trace} clockHz={manifest.clockHz ?? null} /> : null}
      {view.trace && view.progress && view.progress.cycle >= view.trace.length ? (
        <p className="mt-1 text-dense text-muted">
          {t("kept", { count: view.trace.length, cycles: formatCount(view.trace.length) })}
        </p>
      ) : null}
      {vectors ? (
        <VectorsLine view={view} onRun={() => ask({ kind: "vectors", vectors })} onStop={stop} />
      ) : null}
    </>
  );
}

const Digest = ({ digest }: { digest: string }) => (
  <code title={digest}>{shortDigest(digest)}</code>
);

function UnloadedDesign({ sizeBytes, run }: { sizeBytes: number; run: DesignRun }) {
  const t = useTranslations("simulate");
  return (
    <>
      <Failure run={run} />
      <Refused run={run} />
      {run.view.phase === "loading" ? (
        <DownloadBar receivedBytes={run.view.receivedBytes} sizeBytes={sizeBytes} />
      ) : run.view.failure ? null : (
        <button type="button" className="btn mt-4" onClick={() => run.load(false)}>
          {t.rich("run", { size: () => <span className="unit">{formatBytes(sizeBytes)}</span> })}
        </button>
      )}
    </>
  );
}

/** Of an artifact that names no clock: ten nanoseconds a cycle. */
const defaultClockHz = 100e6;

function Failure({ run: { view, load } }: { run: DesignRun }) {
  const t = useTranslations("simulate");
  if (!view.failure) return null;
  return (
    <div className="mt-4">
      <ErrorNote
        title={t(`failures.${view.failure.asked}`)}
        error={problemInWords(view.failure.error, t)}
        onRetry={view.phase === "ready" ? undefined : () => load(true)}
      />
    </div>
  );
}

function Refused({ run: { refused } }: { run: DesignRun }) {
  const t = useTranslations("simulate");
  if (!refused) return null;
  return (
    <div className="mt-4">
      <ErrorNote title={t("failures.row")} error={problemInWords(refused, t)} />
    </div>
  );
}

function tryReadRows(
  manifest: CoreManifest,
  text: string,
): { readonly read: RequestRows | null; readonly error: Error | null } {
  try {
    return { read: readRows(manifest, text), error: null };
  } catch (error) {
    if (!isAppError(error) && !(error instanceof Problem)) throw error;
    return { read: null, error };
  }
}
