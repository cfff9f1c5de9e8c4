import type { ApiRequest } from "./api-requests";

/** What came of many requests. */
export interface Verdicts {
  readonly statuses: Map<number, number>;
  /** Requests that were answered wrongly, with why. */
  readonly faults: string[];
  /** The one that took longest, in milliseconds. */
  slowest: { readonly ms: number; readonly request: string };
}

/** Longer than any answer that is not a stream takes on a busy machine. */
const patienceMs = 60_000;
/** A stream of events ends with its reader: this much of it is read. */
const streamMs = 50;

/**
 * Sends a request and writes down what is wrong with its answer: a fault of ours, no answer, an error without its words, or words
 * that tell of the inside.
 */
export async function judge(
  verdicts: Verdicts,
  request: ApiRequest,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<void> {
  const { statuses, faults } = verdicts;
  const startMs = performance.now();
  const gone = new AbortController();
  const late = setTimeout(() => gone.abort(new Error("no answer")), patienceMs);
  const shown = () =>
    `${request.method} ${request.target} ${JSON.stringify(request.headers)} ${Buffer.from(
      request.body ?? [],
    )
      .toString("latin1")
      .slice(0, 500)}`;
  try {
    const answer = await send(gone.signal);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
      setTimeout(() => gone.abort(), streamMs);
      await answer.arrayBuffer().catch(() => {});
      return;
    }
    const text = await answer.text();
    const why = wrongWith(answer.status, text);
    if (why) faults.push(`${why}: ${answer.status} ${shown()} -> ${text.slice(0, 300)}`);
  } catch (error) {
    faults.push(`${error}: ${shown()}`);
  } finally {
    clearTimeout(late);
    const ms = performance.now() - startMs;
    if (ms > verdicts.slowest.ms)
      verdicts.slowest = { ms, request: `${request.method} ${request.target}` };
  }
}

export const noVerdicts = (): Verdicts => ({
  statuses: new Map(),
  faults: [],
  slowest: { ms: 0, request: "" },
});

function wrongWith(status: number, text: string): string | null {
  if (status >= 500 && status !== 501 && !isPassing(status, text)) return "a fault of ours";
  if (status < 400) return null;
  const { error } = parse(text);
  if (!error?.reason || !error.message) return "no words";
  if (/prisma|node_modules|SELECT |at .*\.ts:\d+/.test(error.message)) return "words of the inside";
  return null;
}

/** What was asked is not there yet, or is away: said so, and worth another try. */
const passing: ReadonlySet<string> = new Set([
  "STORE_UNAVAILABLE",
  "SOURCE_UNAVAILABLE",
  "MODEL_NOT_READY",
  "UPSTREAM_RESET",
]);
const isPassing = (status: number, text: string): boolean =>
  status === 503 && passing.has(parse(text).error?.reason ?? "");

function parse(text: string): { error?: { reason?: string; message?: string } } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
