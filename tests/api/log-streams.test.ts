import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SeenLog } from "@/bench/logs/event-bytes";
import { appendLog, claimBuild, failBuild } from "@/domain/builds";
import type { LogLine } from "@/lib/common/contract";
import { call, openApi, readEvents } from "../support/api";
import { bare, iris } from "../support/domain";

// Logs that are long, and many who follow them: what each sees is what is stored.

openApi();

const time = "2026-11-27T00:00:00.000Z";
const lines = (from: number, to: number, width = 40): LogLine[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    ...{ n: from + index, time, stage: "place", stream: "stdout", level: "info" },
    text: `${from + index} `.padEnd(width, "µ"),
  }));

let made = 0;
async function begin(): Promise<{ id: string; epoch: number }> {
  const answer = await call("POST", "/endpoints", { json: iris(`followed-${++made}`) });
  const { buildId: id } = (await answer.json()) as { buildId: string };
  const attempt = await claimBuild(bare(id), "worker", { leaseS: 600, deadlineS: 600 });
  return { id, epoch: attempt?.epoch ?? 0 };
}
const end = (id: string, epoch: number) =>
  failBuild(bare(id), epoch, { code: "internal", reason: "TOOL_FAILED", message: "no" }, "failed");

async function stored(id: string): Promise<string> {
  const answer = await call("GET", `/builds/${id}/log?format=jsonl`);
  return createHash("sha256")
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest("hex");
}

describe("a log that is followed", () => {
  it("comes whole in one answer to a slow reader, however long it is", async () => {
    const { id, epoch } = await begin();
    for (let n = 1; n <= 3000; n += 100) await appendLog(bare(id), epoch, lines(n, n + 99, 1500));
    await end(id, epoch);
    const seen = new SeenLog();
    const response = await call("GET", `/builds/${id}/log`);
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      seen.push(Buffer.from(chunk));
      await sleep(2);
    }
    expect([seen.lines, seen.gaps, seen.ended]).toEqual([3000, 0, true]);
    expect(seen.digest).toBe(await stored(id));
  });

  it("is the same for a hundred who come at different moments, some cut off in the middle", async () => {
    const { id, epoch } = await begin();
    const follow = async (index: number): Promise<SeenLog> => {
      const seen = new SeenLog();
      await sleep(index * 7);
      for (let turn = 0; !seen.ended; turn += 1) {
        seen.reopen();
        const headers = seen.cursor === "" ? {} : { "last-event-id": seen.cursor };
        const leave = new AbortController();
        const response = await call("GET", `/builds/${id}/log`, { headers, signal: leave.signal });
        let chunks = 0;
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
          seen.push(Buffer.from(chunk));
          if (index % 5 === 0 && turn < 3 && ++chunks > 4) leave.abort();
        }
      }
      return seen;
    };
    const viewers = Array.from({ length: 100 }, (_, index) => follow(index));
    for (let n = 1; n <= 2400; n += 60) {
      await appendLog(bare(id), epoch, lines(n, n + 59));
      await sleep(10);
    }
    await end(id, epoch);
    const seen = await Promise.all(viewers);
    const digests = new Set(seen.map(({ digest }) => digest));
    expect([...digests]).toEqual([await stored(id)]);
    expect(seen.reduce((sum, { gaps }) => sum + gaps, 0)).toBe(0);
  });

  it("begins near its end for a tab that lags far behind, which holds a window only", async () => {
    const { id, epoch } = await begin();
    for (let n = 1; n <= 12_000; n += 500) await appendLog(bare(id), epoch, lines(n, n + 499));
    const events = await readEvents(await call("GET", `/events?log=${id}:1:3`), (all) =>
      all.some(({ data }) => data["n"] === 12_000),
    );
    const numbers = events.flatMap(({ event, data }) => (event === "log" ? [data["n"]] : []));
    expect(numbers).toEqual(lines(7001, 12_000).map(({ n }) => n));
  });
});
