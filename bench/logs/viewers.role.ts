import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { SeenLog } from "./event-bytes";

/** What viewers are asked to look at, and how restless they are. */
export interface Watching {
  readonly url: string;
  readonly viewers: number;
  /** Of ten viewers one is cut off this often and comes back, and one stops reading for as long. */
  readonly restlessMs: number;
}

/** What one viewer came to. */
export interface Watched {
  readonly kind: "steady" | "cut" | "asleep";
  readonly digest: string;
  readonly lines: number;
  readonly gaps: number;
  /** Answers that ended before the log did, by our hand or the server's. */
  readonly reconnects: number;
  readonly delaysMs: readonly number[];
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const pauseMs = 50;

function open(url: string, cursor: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: "text/event-stream",
      ...(cursor === "" ? {} : { "last-event-id": cursor }),
    };
    get(url, { agent, headers }, resolve).once("error", reject);
  });
}

async function watch(
  { url, restlessMs }: Watching,
  kind: Watched["kind"],
  onOpen: () => void,
): Promise<Watched> {
  const seen = new SeenLog();
  let reconnects = -1;
  while (!seen.ended) {
    reconnects += 1;
    seen.reopen();
    const answer = await open(url, seen.cursor).catch(() => null);
    if (answer?.statusCode === 200) {
      onOpen();
      const restless =
        kind === "steady"
          ? undefined
          : setInterval(
              () => {
                if (kind === "cut") answer.destroy();
                else if (answer.isPaused()) answer.resume();
                else answer.pause();
              },
              restlessMs * (0.5 + Math.random()),
            );
      await new Promise<void>((resolve) => {
        answer.on("data", (chunk: Buffer) => seen.push(chunk));
        for (const event of ["end", "error", "close"]) answer.once(event, () => resolve());
      });
      clearInterval(restless);
      answer.destroy();
    }
    if (!seen.ended) await delay(pauseMs);
  }
  const { digest, lines, gaps, delaysMs } = seen;
  return { kind, digest, lines, gaps, reconnects, delaysMs };
}

process.once("message", async (watching: Watching) => {
  let opened = 0;
  const results = await Promise.all(
    Array.from({ length: watching.viewers }, (_, index) => {
      const kind = index % 10 === 8 ? "cut" : index % 10 === 9 ? "asleep" : "steady";
      let isFirst = true;
      return watch(watching, kind, () => {
        if (isFirst && ++opened === watching.viewers) process.send?.("open");
        isFirst = false;
      });
    }),
  );
  process.send?.(results, () => process.exit(0));
});
