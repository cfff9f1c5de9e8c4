"use client";

import {
  ErrorNote,
  formatBytes,
  formatCount,
  formatDuration,
  formatNs,
  Section,
  Skeleton,
} from "@/components/ui";
import { LineChart } from "./line-chart";
import type { Point, RecentTraffic } from "./points";
import type { ModelStatistics } from "./statistics";
import { useTraffic } from "./use-traffic";

/** Slots of five minutes that have ended. */
const length = 149;
const fiveMinutesS = 300;

/** What an endpoint does now: rates, latencies, rows of a call; and what it has done since the gateway counts it. */
export function TrafficPanel({ name }: { name: string }) {
  const { versions, recent, error, pending, retry } = useTraffic(name);
  if (pending) return <Skeleton lines={8} />;
  if (error) {
    return <ErrorNote title="Its traffic cannot be read." error={error} onRetry={retry} />;
  }
  const values = (pick: (point: Point) => number | null) => recent.points.map(pick);
  return (
    <>
      <Section title="The last five minutes" aside={<Waiting versions={versions} />}>
        <p className="mb-4 text-dense text-muted">{inWords(recent)}</p>
        <div className="grid gap-x-8 gap-y-6 desk:grid-cols-2">
          <LineChart
            title="Requests"
            unit="/s"
            length={length}
            series={[
              { label: "answered", colour: "var(--accent)", values: values((p) => p.perSecond) },
              { label: "failed", colour: "var(--bad)", values: values((p) => p.failuresPerSecond) },
            ]}
          />
          <LineChart
            title="Latency in the gateway"
            unit="ms"
            length={length}
            series={[
              { label: "p50", colour: "var(--accent)", values: values((p) => p.p50Ms) },
              { label: "p90", colour: "var(--copper)", values: values((p) => p.p90Ms) },
              { label: "p99", colour: "var(--info)", values: values((p) => p.p99Ms) },
            ]}
          />
          <LineChart
            title="Rows that share a call"
            unit="rows"
            length={length}
            series={[
              { label: "mean", colour: "var(--accent)", values: values((p) => p.rowsPerCall) },
            ]}
          />
        </div>
      </Section>
      <Section title="Since the gateway began to count">
        <Totals versions={versions} />
        <div className="mt-6 max-w-[600px]">
          <Batches versions={versions} />
        </div>
      </Section>
    </>
  );
}

/** The five minutes as one sentence, and from when on they are known. */
function inWords({ seconds, answered, failed, p50Ms, p99Ms }: RecentTraffic): string {
  const times =
    p50Ms === null || p99Ms === null
      ? ""
      : `, half within ${formatNs(p50Ms * 1e6)}, 99 of 100 within ${formatNs(p99Ms * 1e6)}`;
  const since =
    seconds < fiveMinutesS ? ` The gateway counts it since ${formatDuration(seconds * 1000)}.` : "";
  return `${formatCount(answered)} answered, ${formatCount(failed)} failed${times}.${since}`;
}

function Waiting({ versions }: { versions: readonly ModelStatistics[] }) {
  const waiting = versions.reduce((sum, of) => sum + of.pending_request_count, 0);
  return (
    <span className="text-dense text-muted">
      {waiting === 0 ? "Nothing waits" : `${formatCount(waiting)} wait`}
    </span>
  );
}

/** How many calls carried how many rows, as bars. */
function Batches({ versions }: { versions: readonly ModelStatistics[] }) {
  const sizes = new Map<number, number>();
  for (const { batch_stats } of versions) {
    for (const { batch_size, compute_infer } of batch_stats) {
      sizes.set(batch_size, (sizes.get(batch_size) ?? 0) + compute_infer.count);
    }
  }
  const list = [...sizes].sort(([a], [b]) => b - a).slice(0, 8);
  const most = Math.max(...list.map(([, count]) => count), 1);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 text-dense font-strong">Calls by rows</figcaption>
      {list.length === 0 ? (
        <p className="text-muted">No call yet.</p>
      ) : (
        <ul className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 text-dense">
          {list.map(([size, count]) => (
            <li key={size} className="col-span-3 grid grid-cols-subgrid items-center">
              <span className="text-right">{size}</span>
              <i
                aria-hidden="true"
                className="h-2.5 rounded-[2px] bg-accent"
                style={{ width: `${Math.max(1, (count / most) * 100)}%` }}
              />
              <span>{formatCount(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function Totals({ versions }: { versions: readonly ModelStatistics[] }) {
  if (versions.length === 0) return <p className="text-muted">Nothing was asked of it yet.</p>;
  const mean = ({ count, ns }: { count: number; ns: number }) =>
    count === 0 ? "–" : formatNs(ns / count);
  return (
    <div className="overflow-x-auto">
      <table className="table whitespace-nowrap">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Answered</th>
            <th scope="col">Failed</th>
            <th scope="col">Rows</th>
            <th scope="col">Calls</th>
            <th scope="col" title="Values outside of the range that the firmware was built for">
              Clipped inputs
            </th>
            <th scope="col">Mean time</th>
            <th scope="col">waiting</th>
            <th scope="col">on the way</th>
            <th scope="col">on the board</th>
            <th scope="col">memory</th>
          </tr>
        </thead>
        <tbody>
          {versions.map((of) => (
            <tr key={of.version}>
              <td>{of.version}</td>
              <td>{formatCount(of.inference_stats.success.count)}</td>
              <td>{formatCount(of.inference_stats.fail.count)}</td>
              <td>{formatCount(of.inference_count)}</td>
              <td>{formatCount(of.execution_count)}</td>
              <td>{formatCount(of.clipped_input_count)}</td>
              <td>{mean(of.inference_stats.success)}</td>
              <td>{mean(of.inference_stats.queue)}</td>
              <td>{mean(of.inference_stats.compute_input)}</td>
              <td>{mean(of.inference_stats.compute_infer)}</td>
              <td>{memoryOf(of)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Real memory in all of its slots; devices that have none of their own tell nothing. */
function memoryOf({ memory_usage }: ModelStatistics): string {
  if (memory_usage.length === 0) return "–";
  return formatBytes(memory_usage.reduce((sum, { byte_size }) => sum + byte_size, 0));
}
