"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { BoardDrawing, useBoardFacts, useBoardTitle } from "@/components/boards";
import { useEndpointAppearance } from "@/components/endpoints";
import { ExpectedAndMeasured } from "@/components/forecasts";
import { Term } from "@/components/glossary";
import {
  formatCount,
  formatMhz,
  formatNs,
  formatShare,
  ResourceBars,
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
  const t = useTranslations("builds.findings");
  const report = build.report;
  return (
    <aside
      aria-label={t("name")}
      className="grid content-start gap-x-10 gap-y-7 tablet:grid-cols-2 desk:row-span-2 desk:grid-cols-1"
    >
      {report && report.resources.length > 0 ? (
        <Finding title={report.bitstreamNeeds === undefined ? t("cells") : t("cellsEstimated")}>
          <ResourceBars resources={report.resources} />
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
  const t = useTranslations("builds.findings");
  const report = build.report;
  if (!report) return null;
  return (
    <aside
      aria-label={t("more")}
      className="grid content-start gap-x-10 gap-y-7 tablet:grid-cols-2"
    >
      {report.expected && report.achievedMhz !== undefined ? (
        <Finding title={t("forecast")}>
          <ExpectedAndMeasured
            expected={report.expected}
            report={report}
            seconds={secondsOf(build)}
          />
        </Finding>
      ) : null}
      {report.resources.length > 0 ? <OnTheBoard build={build} report={report} /> : null}
      {report.notes?.length ? (
        <Finding title={t("notes")}>
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

function Finding({ title, children }: { title: ReactNode; children: ReactNode }) {
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
  const t = useTranslations("builds.findings");
  const { achievedMhz = 0, clockHz, clockLabel } = report;
  const spare = clockHz === undefined ? null : achievedMhz - clockHz / 1e6;
  return (
    <Finding title={t("clock")}>
      <Big value={achievedMhz.toFixed(1)} unit={t("afterRouting")} />
      {spare === null || clockHz === undefined ? null : (
        <p className={`text-dense ${spare >= 0 ? "text-ok" : "text-bad"}`}>
          {t(spare >= 0 ? "above" : "below", {
            mhz: Math.abs(spare).toFixed(1),
            clock: formatMhz(clockHz),
          })}
        </p>
      )}
      {clockLabel ? <p className="text-dense text-muted">{clockLabel}</p> : null}
      {report.criticalPath ? <CriticalPathDetails path={report.criticalPath} /> : null}
    </Finding>
  );
}

function Latency({ report }: { report: Report }) {
  const t = useTranslations("builds.findings");
  const { latencyCycles = 0, clockHz, lanes } = report;
  return (
    <Finding title={<Term id="latency">{t("row")}</Term>}>
      <div className="text-copper">
        <Big value={formatCount(latencyCycles)} unit={t("cycles")} />
      </div>
      <p className="text-dense text-muted">
        {[
          ...(clockHz === undefined
            ? []
            : [
                t("at", {
                  time: formatNs((latencyCycles / clockHz) * 1e9),
                  clock: formatMhz(clockHz),
                }),
              ]),
          ...(lanes === undefined ? [] : [t("lanes", { count: lanes })]),
        ].join(", ")}
      </p>
    </Finding>
  );
}

function ProofFinding({ proof, cpu }: { proof: Proof; cpu: boolean }) {
  const t = useTranslations("builds.findings");
  const { vectors, mismatches, levels, agreement, rows, maxAbsError, accuracy, floatAccuracy } =
    proof;
  return (
    <Finding title={<Term id="proof">{t("proof")}</Term>}>
      {vectors > 0 ? (
        <p className="flex items-baseline gap-2">
          <ToneIcon tone={mismatches === 0 ? "ok" : "bad"} />
          <span>
            {mismatches === 0
              ? t(cpu ? "equalModel" : "equalBits", { count: formatCount(vectors) })
              : t("differ", { wrong: formatCount(mismatches), count: formatCount(vectors) })}
          </span>
        </p>
      ) : null}
      {levels ? <ProofLevels levels={levels} /> : null}
      <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-3 text-dense">
        {agreement === null ? null : (
          <Fact
            name={<Term id="agreement">{t("agreement")}</Term>}
            value={formatShare(agreement)}
          />
        )}
        {accuracy == null ? null : <Fact name={t("accuracy")} value={formatShare(accuracy)} />}
        {floatAccuracy == null ? null : (
          <Fact name={t("floatAccuracy")} value={formatShare(floatAccuracy)} />
        )}
        <Fact name={t("largest")} value={maxAbsError.toPrecision(2)} />
      </dl>
      <p className="text-label text-muted">
        {rows > 0 ? t("rows", { rows: formatCount(rows), source: proof.source }) : proof.source}
      </p>
    </Finding>
  );
}

function OriginFinding({ origin: { proof, maker } }: { origin: Origin }) {
  const t = useTranslations("builds.findings");
  return (
    <Finding title={<Term id="proof">{t("proof")}</Term>}>
      <p>{t("notProven")}</p>
      <p className="text-dense text-muted">
        {maker ? t.rich("signedBy", { proof, key: () => <code>{maker.keyId}</code> }) : proof}
      </p>
    </Finding>
  );
}

function Fact({ name, value }: { name: ReactNode; value: string }) {
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
  const t = useTranslations("builds.findings");
  const board = useBoardFacts(build.boardModel);
  const [cells] = report.resources;
  const share = cells && cells.available > 0 ? cells.used / cells.available : 0;
  return (
    <Finding title={t("filled", { board: board.name, share: formatShare(share) })}>
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
  const t = useTranslations("builds.findings");
  const where = useBoardTitle(build.boardModel, build.boardKind);
  const standing = useStanding(build);
  const endpointAppearance = useEndpointAppearance();
  const name = build.endpointName;
  if (name === null) return null;
  const link = () => <Link href={`/endpoints/${name}`}>{name}</Link>;
  return (
    <Finding title={t("then")}>
      <p className="text-dense text-muted">
        {standing.kind === "gone"
          ? t("gone", { name })
          : standing.kind === "other"
            ? t.rich("other", { link })
            : !finalBuildStates.has(build.state) || standing.kind !== "own"
              ? t.rich("will", { where, link })
              : build.state !== "succeeded"
                ? t.rich("waits", { link })
                : standing.endpoint.state === "ready"
                  ? t.rich("answers", { where, link })
                  : t.rich("is", {
                      link,
                      state: endpointAppearance[standing.endpoint.state].label,
                    })}
      </p>
    </Finding>
  );
}
