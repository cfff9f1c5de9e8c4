import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { residentBytes } from "@/lib/server/process";
import { loadHttp, requestsOf } from "./serving/http-load";
import { inputName, modelName, row } from "./serving/model";
import { type Role, startRole, stopRoles } from "./serving/roles";

/**
 * Memory of the gateway and of the board server over two million binary requests from 64 clients: the largest seen in each
 * fifth, and how the last compares with the second, when both have warmed up.
 */
const wanted = Number(process.env["BENCH_REQUESTS"] ?? 2_000_000);
const parts = 5;
const sampleMs = 200;
const mebibyte = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), "bw-mem-"));
const socket = join(folder, "s");
const board = await startRole("board", [socket]);
const gateway = await startRole("gateway", [socket]);
const [, binary] = requestsOf(modelName, inputName, row);
const roles: readonly (readonly [string, Role])[] = [
  ["gateway", gateway],
  ["board server", board],
];
const peaks = roles.map((): number[] => []);
let done = 0;
try {
  for (let part = 0; part < parts; part++) {
    for (const each of peaks) each.push(0);
    const watch = setInterval(() => {
      for (const [index, [, { child }]] of roles.entries()) {
        const seen = residentBytes(child.pid ?? 0) / mebibyte;
        const peak = peaks[index];
        if (peak) peak[part] = Math.max(peak[part] ?? 0, seen);
      }
    }, sampleMs);
    while (done < (wanted * (part + 1)) / parts) {
      const seconds = 2;
      const { perSecond } = await loadHttp({ ...binary, port: gateway.port, clients: 64, seconds });
      done += Math.round(perSecond * seconds);
    }
    clearInterval(watch);
    const seen = roles.map(([name], index) => `${name} ${peaks[index]?.[part]?.toFixed(0)} MiB`);
    console.log(`${done.toLocaleString("en")} requests: ${seen.join(", ")}`);
  }
  for (const [index, [name]] of roles.entries()) {
    const [, second = 1, , , last = 1] = peaks[index] ?? [];
    console.log(`${name}: last fifth ${((last / second - 1) * 100).toFixed(1)} % above the second`);
  }
} finally {
  await stopRoles([gateway, board]);
  rmSync(folder, { recursive: true, force: true });
}
