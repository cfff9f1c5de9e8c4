"use client";

import { useTranslations } from "next-intl";
import { formatBytes, formatCount, formatNs, Picture, Skeleton } from "@/components/ui";
import type { ModelStatistics } from "./statistics";
import { useGatewayCounters } from "./use-gateway-counters";

/** What the gateway has counted by itself since it loaded each version: calls, rows, where the time went, memory. */
export function GatewayCounters({ name }: { name: string }) {
  const t = useTranslations("traffic.gateway");
  const { data: versions, isPending } = useGatewayCounters(name);
  if (isPending) return <Skeleton lines={3} />;
  if (!versions) return <p className="text-muted">{t("away")}</p>;
  if (versions.length === 0) return <p className="text-muted">{t("nothing")}</p>;
  const waiting = versions.reduce((sum, of) => sum + of.pending_request_count, 0);
  return (
    <>
      <p className="mb-3 text-dense text-muted">{t("waiting", { count: waiting })}</p>
      <Totals versions={versions} />
      <div className="mt-6 max-w-[600px]">
        <Batches versions={versions} />
      </div>
    </>
  );
}

const columns = [
  "version",
  "answered",
  "failed",
  "rows",
  "calls",
  "clipped",
  "mean",
  "waited",
  "onTheWay",
  "onTheBoard",
  "memory",
] as const;

function Totals({ versions }: { versions: readonly ModelStatistics[] }) {
  const t = useTranslations("traffic.gateway");
  const mean = ({ count, ns }: { count: number; ns: number }) =>
    count === 0 ? "–" : formatNs(ns / count);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section aria-label={t("title")} tabIndex={0} className="overflow-x-auto">
      <table className="table whitespace-nowrap">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                title={column === "clipped" ? t("clippedHint") : undefined}
              >
                {t(column)}
              </th>
            ))}
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
    </section>
  );
}

/** How many calls carried how many rows, as bars. */
function Batches({ versions }: { versions: readonly ModelStatistics[] }) {
  const t = useTranslations("traffic.gateway");
  const sizes = new Map<number, number>();
  for (const { batch_stats } of versions) {
    for (const { batch_size, compute_infer } of batch_stats) {
      sizes.set(batch_size, (sizes.get(batch_size) ?? 0) + compute_infer.count);
    }
  }
  const rows = [...sizes].sort(([a], [b]) => b - a).map(([size, count]) => ({ size, count }));
  const [commonest] = rows.toSorted((a, b) => b.count - a.count);
  if (!commonest) return <p className="text-muted">{t("noCall")}</p>;
  const calls = rows.reduce((sum, { count }) => sum + count, 0);
  return (
    <Picture
      title={t("batchFinding", {
        count: calls,
        shown: formatCount(calls),
        size: commonest.size,
      })}
      summary={t("batches")}
      file="calls-by-rows"
      rows={rows}
      columns={[
        { id: "batchSize", label: t("batchSize"), value: ({ size }) => size },
        {
          id: "calls",
          label: t("calls"),
          value: ({ count }) => count,
          show: ({ count }) => formatCount(count),
        },
      ]}
    >
      <ul className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 text-dense">
        {rows.slice(0, mostSizes).map(({ size, count }, index) => (
          <li
            key={size}
            data-point={index}
            className="col-span-3 grid grid-cols-subgrid items-center"
          >
            <span className="text-right">{size}</span>
            <i
              className="h-2.5 rounded-[2px] bg-accent"
              style={{ width: `${Math.max(1, (count / commonest.count) * 100)}%` }}
            />
            <span>{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </Picture>
  );
}

/** So many sizes are drawn, the largest; the table has them all. */
const mostSizes = 8;

/** Real memory in all of its slots; devices that have none of their own tell nothing. */
function memoryOf({ memory_usage }: ModelStatistics): string {
  if (memory_usage.length === 0) return "–";
  return formatBytes(memory_usage.reduce((sum, { byte_size }) => sum + byte_size, 0));
}
