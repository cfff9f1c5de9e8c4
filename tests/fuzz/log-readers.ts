import { setTimeout as sleep } from "node:timers/promises";
import { appendLog, claimBuild } from "@/domain/builds";
import type { LogLine } from "@/lib/common/contract";
import { call } from "../support/api";
import { bare, iris } from "../support/domain";
import { eachCase, type Outcome } from "./each-case";
import { oddIntegers } from "./files/damage";
import { chance, pick, randomOf } from "./random-of";
import { fuzz } from "./settings";

const time = "2026-11-27T00:00:00.000Z";
const abreast = 8;
/** Lines of the log that is followed. */
const length = 1200;

const line = (n: number): LogLine => ({
  ...{ n, time, stage: "place", stream: "stdout", level: "info" },
  text: `${n} `.padEnd(300, "µ"),
});

/** The lines of the log that is followed, a hundred at a time. */
export function* longLog(): Generator<LogLine[]> {
  for (let n = 1; n <= length; n += 100)
    yield Array.from({ length: 100 }, (_, index) => line(n + index));
}

/** A build whose log goes on. */
export async function makeLog(): Promise<string> {
  const answer = await call("POST", "/endpoints", { json: iris("followed") });
  const { buildId: id } = (await answer.json()) as { buildId: string };
  const attempt = await claimBuild(bare(id), "worker", { leaseS: 600, deadlineS: 600 });
  for (const lines of longLog()) await appendLog(bare(id), attempt?.epoch ?? 0, lines);
  return id;
}

/** Asks for a path under `/api/v1`. */
export type Ask = (
  target: string,
  options: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal },
) => Promise<Response>;

/** Asks the handlers themselves. */
export const askHandlers: Ask = async (target, options) => await call("GET", target, options);

/** Readers made by seed: cursors and queries that are none, some slow, all of them gone before the end. */
export async function followMuch(id: string, count: number, ask = askHandlers): Promise<Outcome> {
  return await eachCase(count, {
    abreast,
    async tryGood() {
      const page = await ask(`/builds/${id}/log?from=${length}`, {});
      const { lines } = (await page.json()) as { lines: readonly LogLine[] };
      if (lines[0]?.n !== length) throw new Error("a good reader got another line");
    },
    async tryOne(number) {
      const random = randomOf(fuzz.seed, number);
      const odd = () =>
        String(pick([...oddIntegers, 1n, 2n, 3n, 700n, "", "x", "1e3", " 1"], random));
      const cursor = () =>
        chance(2, random)
          ? `1:${random.integer(0, length)}`
          : pick([`1:${odd()}`, `${odd()}:${odd()}`, odd(), `1:${odd()}:1`], random);
      const query = new URLSearchParams();
      const isLog = chance(2, random);
      const names = isLog ? ["attempt", "from", "limit", "format", "compression"] : ["events"];
      for (const name of names) if (chance(8, random)) query.append(name, odd());
      const log = () => (chance(4, random) ? pick([bare(id), "bld_x", ""], random) : id);
      if (!isLog)
        for (let i = random.integer(0, 3); i > 0; i -= 1)
          query.append("log", `${log()}:${cursor()}`);
      const headers = chance(2, random) ? { "last-event-id": cursor() } : {};
      const target = `${isLog ? `/builds/${id}/log` : "/events"}?${query}`;
      const leave = new AbortController();
      const answer = await ask(target, { headers, signal: leave.signal });
      const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
      const shown = `${answer.status} ${target} ${JSON.stringify(headers)}`;
      if (type === "text/event-stream") {
        setTimeout(() => leave.abort(), random.integer(1, 60));
        const fault = await read(answer, chance(4, random));
        return { said: ["followed"], fault: fault && `${shown}: ${fault}` };
      }
      const text = await answer.text();
      if (answer.status < 400) return { said: [type], fault: null };
      const { reason } = (JSON.parse(text) as { error: { reason: string } }).error;
      const isOurs = answer.status >= 500 || reason === "INTERNAL";
      return {
        said: [reason],
        fault: isOurs ? `${shown}: ${text.slice(0, 300)}` : null,
      };
    },
  });
}

/** Lines come in their order, each once, for as long as somebody reads; what is wrong with them else. */
async function read(answer: Response, isSlow: boolean): Promise<string | null> {
  const last = new Map<string, number>();
  let rest = "";
  try {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      if (isSlow) await sleep(5);
      rest += Buffer.from(chunk).toString("latin1");
      const events = rest.split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const [, attempt = "", n = ""] = /^id: (\d+):(\d+)$/m.exec(event) ?? [];
        if (n === "") continue;
        const before = last.get(attempt);
        if (before !== undefined && Number(n) !== before + 1) return `line ${n} after ${before}`;
        last.set(attempt, Number(n));
      }
    }
  } catch {
    // It left.
  }
  return null;
}
