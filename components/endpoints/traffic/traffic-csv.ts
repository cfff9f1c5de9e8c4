import type { Traffic, TrafficPoint } from "@/lib/common/contract";
import { type Cell, writeCsvRecord } from "@/lib/common/rows";

const columns = [
  "at",
  "seconds",
  "perSecond",
  "requests",
  "clientErrors",
  "serverErrors",
  "rows",
  "p50Ms",
  "p90Ms",
  "p99Ms",
  "p999Ms",
] as const satisfies readonly (keyof TrafficPoint)[];

/** The points of an endpoint's traffic as CSV, all revisions together first, then each; a gap has no rate. */
export function trafficCsv({ points, revisions }: Traffic): string {
  const cells = (point: TrafficPoint, revision: number | "all"): Cell[] => [
    revision,
    ...columns.map((column) => point[column]),
  ];
  return [
    ["revision", ...columns],
    ...points.map((point) => cells(point, "all")),
    ...revisions.flatMap((each) => each.points.map((point) => cells(point, each.revision))),
  ]
    .map(writeCsvRecord)
    .join("");
}
