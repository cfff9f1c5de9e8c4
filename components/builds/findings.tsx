"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { BoardDrawing, useBoardFacts } from "@/components/boards";
import { ExpectedAndMeasured } from "@/components/forecasts";
import {
  formatCount,
  formatMhz,
  formatNs,
  formatShare,
  ResourceBar,
  ToneIcon,
} from "@/components/ui";
import {
  type Build,
  finalBuildStates,
  type Origin,
  type Proof,
  type Report,
} from "@/lib/common/contract";
import { CriticalPathDetails } from "./critical-path";
import { ProofLevels } from "./proof-levels";
import { useStanding } from "./standing";
import { VendorProject } from "./vendor-project";

/** What the build has found out so far, the most asked for; each finding appears as soon as its stage ends. */
export function Findings({ build }: { build: Build }) {
  const report = build.report;
  return (
    <aside
      aria-label="Findings"
      className="grid content-start gap-x-10 gap-y-7 tablet:grid-cols-2 desk:row-span-2 desk:grid-cols-1"
    >
      {report && report.resources.length > 0 ? (
        <Finding
          title={report.bitstreamNeeds === undefined ? "Cells in use" : "Cells, estimated by Yosys"}
        >
          {report.resources.map(({ id, name, used, available }) => (
            <ResourceBar key={id} name={name} used={used} available={available} />
          ))}
        </Finding>
      ) : null}
      <VendorProject build={build} />
      {report?.achievedMhz !== undefined ? <Clock report={report} /> : null}
      {report?.latencyCycles !== undefined ? <Latency report={report} /> : null}
      {report?.proof ? <ProofFinding proof={report.proof} cpu={build.boardKind === "cpu"} /> : null}
      {report?.origin ? <OriginFinding origin={report.origin} /> : null}
      <Then build={build} />
    </aside>
  );
}

/** What there is to say besides: how good the forecast was, what the chip is filled by, and why it was built so. */
export function MoreFindings({ build }: { build: Build }) {
  const report = build.report;
  if (!report) return null;
  return (
    <aside
      aria-label="Forecast, board and notes"
      className="grid content-start gap-x-10 gap-y-7 tablet:grid-cols-2"
    >
      {report.expected && report.achievedMhz !== undefined ? (
        <Finding title="Forecast and measured">
          <ExpectedAndMeasured
            expected={report.expected}
            report={report}
            seconds={secondsOf(build)}
          />
        </Finding>
      ) : null}
      {report.resources.length > 0 ? <OnTheBoard build={build} report={report} /> : null}
      {report.notes?.length ? (
        <Finding title="Notes">
          <ul className="grid gap-1 text-dense">
            {report.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Finding>
      ) : null}
    </aside>
  );
}

/** How long a build took that ended; null for one that took an older artifact. */
function secondsOf({ startedAt, endedAt, reused }: Build): number | null {
  return startedAt && endedAt && !reused
    ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1000
    : null;
}

function Finding({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="label mb-1">{title}</h2>
      {children}
    </section>
  );
}

function Big({ value, unit }: { value: string; unit: string }) {
  return (
    <div className="leading-tight">
      <span className="text-big font-strong">{value}</span>
      <span className="unit">{unit}</span>
    </div>
  );
}

function Clock({ report }: { report: Report }) {
  const { achievedMhz = 0, clockHz, clockLabel } = report;
  const spare = clockHz === undefined ? null : achievedMhz - clockHz / 1e6;
  return (
    <Finding title="Clock">
      <Big value={achievedMhz.toFixed(1)} unit="MHz after routing" />
      {spare === null || clockHz === undefined ? null : (
        <p className={`text-dense ${spare >= 0 ? "text-ok" : "text-bad"}`}>
          {Math.abs(spare).toFixed(1)} MHz {spare >= 0 ? "above" : "below"} the {formatMhz(clockHz)}{" "}
          it runs at
        </p>
      )}
      {clockLabel ? <p className="text-dense text-muted">{clockLabel}</p> : null}
      {report.criticalPath ? <CriticalPathDetails path={report.criticalPath} /> : null}
    </Finding>
  );
}

function Latency({ report }: { report: Report }) {
  const { latencyCycles = 0, clockHz, lanes } = report;
  return (
    <Finding title="On the chip, one row">
      <div className="text-copper">
        <Big value={formatCount(latencyCycles)} unit="cycles" />
      </div>
      <p className="text-dense text-muted">
        {clockHz === undefined
          ? null
          : `${formatNs((latencyCycles / clockHz) * 1e9)} at ${formatMhz(clockHz)}`}
        {lanes === undefined ? null : `, ${lanes} ${lanes === 1 ? "lane" : "lanes"}`}
      </p>
    </Finding>
  );
}

function ProofFinding({ proof, cpu }: { proof: Proof; cpu: boolean }) {
  const { vectors, mismatches, levels, agreement, rows, maxAbsError, accuracy, floatAccuracy } =
    proof;
  return (
    <Finding title="Proof">
      {vectors > 0 ? (
        <p className="flex items-baseline gap-2">
          <ToneIcon tone={mismatches === 0 ? "ok" : "bad"} />
          <span>
            {mismatches === 0
              ? `${cpu ? "Equal to the model" : "Equal bit for bit"} on ${formatCount(vectors)} of ${formatCount(vectors)} vectors`
              : `${formatCount(mismatches)} of ${formatCount(vectors)} vectors differ`}
          </span>
        </p>
      ) : null}
      {levels ? <ProofLevels levels={levels} /> : null}
      <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-3 text-dense">
        {agreement === null ? null : (
          <Fact name="Agreement with float" value={formatShare(agreement)} />
        )}
        {accuracy == null ? null : <Fact name="Accuracy" value={formatShare(accuracy)} />}
        {floatAccuracy == null ? null : (
          <Fact name="Accuracy of float" value={formatShare(floatAccuracy)} />
        )}
        <Fact name="Largest difference" value={maxAbsError.toPrecision(2)} />
      </dl>
      <p className="text-label text-muted">
        {rows > 0 ? `${formatCount(rows)} rows: ` : ""}
        {proof.source}
      </p>
    </Finding>
  );
}

function OriginFinding({ origin: { proof, maker } }: { origin: Origin }) {
  return (
    <Finding title="Proof">
      <p>Not proven here</p>
      <p className="text-dense text-muted">
        {proof}
        {maker ? (
          <>
            , signed by the key <code>{maker.keyId}</code>
          </>
        ) : null}
      </p>
    </Finding>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="text-right">{value}</dd>
    </>
  );
}

const ledOf = {
  queued: "off",
  preparing: "busy",
  running: "busy",
  succeeded: "ok",
  failed: "bad",
  cancelled: "off",
  timed_out: "bad",
} as const satisfies Record<Build["state"], "ok" | "busy" | "bad" | "off">;

function OnTheBoard({ build, report }: { build: Build; report: Report }) {
  const board = useBoardFacts(build.boardModel);
  const [cells] = report.resources;
  const share = cells && cells.available > 0 ? cells.used / cells.available : 0;
  return (
    <Finding title={`${board.name}, its chip filled by ${formatShare(share)}`}>
      <BoardDrawing
        drawing={board.drawing}
        title={board.name}
        simulated={build.boardKind === "simulated"}
        fill={share}
        led={ledOf[build.state]}
      />
    </Finding>
  );
}

function Then({ build }: { build: Build }) {
  const board = useBoardFacts(build.boardModel);
  const standing = useStanding(build);
  const name = build.endpointName;
  if (name === null) return null;
  const where = build.boardKind === "simulated" ? `${board.name} (simulated)` : board.name;
  const link = <Link href={`/endpoints/${name}`}>{name}</Link>;
  return (
    <Finding title="Then">
      <p className="text-dense text-muted">
        {standing.kind === "gone" ? (
          <>The endpoint {name} was deleted.</>
        ) : standing.kind === "other" ? (
          <>{link} goes by another build.</>
        ) : !finalBuildStates.has(build.state) || standing.kind !== "own" ? (
          <>
            {where} loads it, answers the test vectors, and serves as {link}.
          </>
        ) : build.state !== "succeeded" ? (
          <>{link} waits for a build that succeeds.</>
        ) : standing.endpoint.state === "ready" ? (
          <>
            {where} answers as {link}.
          </>
        ) : (
          <>
            {link} is {standing.endpoint.state}.
          </>
        )}
      </p>
    </Finding>
  );
}
