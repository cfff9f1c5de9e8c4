import { expectationSchema, type ForecastDeviation, reportSchema } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { forecastDeviations, type Measured } from "./deviations";

/** Builds that are looked at: the latest, since forecasts change with the compiler. */
const latestBuilds = 1000;

/** How far forecasts were off, for each kind of design that was built here. */
export async function listForecastDeviations(): Promise<ForecastDeviation[]> {
  const rows = await database().$queryRaw<
    { report: unknown; seconds: number | null; isClockAsked: boolean }[]
  >`
    SELECT a.report, extract(epoch FROM b.ended_at - b.started_at)::float8 AS seconds,
      coalesce(b.request -> 'options' ? 'clockHz', false) AS "isClockAsked"
    FROM artifact a LEFT JOIN build b ON b.id = a.build_id
    WHERE a.report ? 'expected'
    ORDER BY a.created_at DESC LIMIT ${latestBuilds}`;
  return forecastDeviations(rows.flatMap((row) => measuredOf(row) ?? []));
}

function measuredOf({
  report: stored,
  seconds,
  isClockAsked,
}: {
  report: unknown;
  seconds: number | null;
  isClockAsked: boolean;
}): Measured | null {
  const report = reportSchema.safeParse(stored).data;
  const expected = expectationSchema.safeParse(report?.expected).data;
  if (!report || !expected) return null;
  const usedOf = (id: string) => report.resources.find((each) => each.id === id)?.used ?? 0;
  return {
    expected,
    measured: {
      lut: usedOf("lut"),
      ff: usedOf("ff"),
      bram: usedOf("bram"),
      dsp: usedOf("dsp"),
      cycles: report.latencyCycles ?? null,
      seconds,
      // What somebody asked for tells nothing of what the tools reach.
      clock: isClockAsked || report.achievedMhz === undefined ? null : (report.clockHz ?? null),
    },
  };
}
