import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findOnPath } from "@/lib/server/process";
import type { HttpLoad } from "./http-load";
import type { Measure } from "./measure";

/** Whether wrk is installed: a load in C costs a fraction of one in JavaScript, which shares the processors with what is measured. */
export const hasWrk = findOnPath("wrk") !== null;

/** The same request again and again on each of so many kept connections, sent by wrk. @throws {Error} Of any answer but 200. */
export async function loadWithWrk(load: Omit<HttpLoad, "everyMs" | "onHead">): Promise<Measure> {
  const { port, path, headers, body, clients, seconds } = load;
  const folder = mkdtempSync(join(tmpdir(), "bw-wrk-"));
  try {
    const script = join(folder, "load.lua");
    writeFileSync(join(folder, "body"), body);
    writeFileSync(script, scriptOf({ path, headers, bodyFile: join(folder, "body") }));
    const { stdout } = await promisify(execFile)("wrk", [
      "--threads=1",
      `--connections=${clients}`,
      `--duration=${seconds}s`,
      `--script=${script}`,
      `http://127.0.0.1:${port}`,
    ]);
    return readSummary(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const mark = "summary ";

const scriptOf = (request: Pick<HttpLoad, "path" | "headers"> & { readonly bodyFile: string }) =>
  [
    'wrk.method = "POST"',
    `wrk.path = ${JSON.stringify(request.path)}`,
    ...Object.entries(request.headers).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    `local file = assert(io.open(${JSON.stringify(request.bodyFile)}, "rb"))`,
    'wrk.body = file:read("*a")',
    "file:close()",
    "done = function(summary, latency, requests)",
    "  local e = summary.errors",
    `  io.write(string.format("${mark}%d %d %d %d %d\\n", summary.requests, summary.duration,`,
    "    e.connect + e.read + e.write + e.timeout + e.status, latency:percentile(50), latency:percentile(99)))",
    "end",
  ].join("\n");

/** Times are in microseconds. */
function readSummary(text: string): Measure {
  const line = text.split("\n").find((each) => each.startsWith(mark)) ?? "";
  const [requests = 0, us = 0, errors = 1, p50Us = 0, p99Us = 0] = line
    .slice(mark.length)
    .split(" ")
    .map(Number);
  if (errors > 0) throw new Error(`${errors} of ${requests} requests were not answered with 200`);
  return { perSecond: (requests / us) * 1e6, p50Ms: p50Us / 1000, p99Ms: p99Us / 1000 };
}
