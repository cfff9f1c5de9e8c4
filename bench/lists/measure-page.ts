import pg from "pg";
import { quantile } from "../quantile";
import { capturePlans } from "./plans";

/** How long a page of a list took, and what reads it again. */
export interface PageFigure {
  readonly what: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly rows: number;
  readonly run: () => Promise<unknown>;
}

/** What a page of a list may take. */
const promisedMs = 50;
const turns = Number(process.env["BENCH_TURNS"] ?? 30);

/** Reads a page again and again, and prints how long that took. */
export async function measurePage(
  what: string,
  run: () => Promise<{ readonly items: readonly unknown[] }>,
): Promise<PageFigure> {
  const times: number[] = [];
  let rows = 0;
  for (let turn = 0; turn < turns; turn++) {
    const started = performance.now();
    rows = (await run()).items.length;
    times.push(performance.now() - started);
  }
  const figure = { what, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), rows, run };
  const mark = figure.p95Ms > promisedMs ? `  over ${promisedMs} ms` : "";
  const ms = (value: number) => value.toFixed(1).padStart(7);
  process.stdout.write(
    `  ${what.padEnd(44)} ${ms(figure.p50Ms)} ${ms(figure.p95Ms)} ${String(rows).padStart(5)}${mark}\n`,
  );
  return figure;
}

/** Prints the plans of the slowest, or of all with `-- --plans`, and how many are quick enough. */
export async function tellSlowest(
  figures: readonly PageFigure[],
  databaseUrl: string,
): Promise<void> {
  const slowest = figures.toSorted((a, b) => b.p95Ms - a.p95Ms);
  const shown = process.argv.includes("--plans") ? slowest : slowest.slice(0, 3);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const { what, run } of shown)
    process.stdout.write(`\n${what}\n${await capturePlans(client, run)}\n`);
  await client.end();
  const over = figures.filter(({ p95Ms }) => p95Ms > promisedMs).length;
  process.stdout.write(
    `\n${figures.length - over} of ${figures.length} pages within ${promisedMs} ms\n`,
  );
}
