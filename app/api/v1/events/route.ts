import { z } from "zod";
import { listEvents, newestEventSeq } from "@/domain/events";
import type { Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { Bell } from "@/lib/server/db";
import { defineHandler } from "@/lib/server/handler";
import { eventStream, type Reader, streamPace } from "../_shared/event-stream";
import { countLines, type LogCursor, parseLogCursor, sendLines } from "../_shared/log-stream";
import { readTogether } from "../_shared/read-together";

export const dynamic = "force-dynamic";

const maxLogs = 4;
/** A tab holds a window of a log: who lags further gets its end, and asks for the outline of what lies before. */
const newestLines = 5000;

/** A log to follow: `<build id>:<attempt>:<last line that is there>`. */
interface Watch {
  readonly buildId: string;
  cursor: LogCursor;
}

export const GET = defineHandler({
  name: "events.stream",
  needs: "read",
  summary:
    "Server-sent events: `change` for each change after `events`, `log` for each line after each `log` cursor and among the newest 5,000, `heartbeat` every 15 s.",
  query: z.strictObject({
    /** Number of the last change that the reader has; default: from now. */
    events: z.coerce.number().int().min(0).optional(),
    log: z.union([z.string(), z.array(z.string()).max(maxLogs)]).optional(),
  }),
  rawResponse: "text/event-stream",
  handle: async ({ scope, query, signal }) => {
    const named = [query.log ?? []].flat().map(parseWatch);
    // A log that is named again is followed once, from its last cursor: its lines would come in no order.
    const watches = [...new Map(named.map((watch) => [watch.buildId, watch])).values()];
    const from = query.events ?? (await newestEventSeq());
    return eventStream(signal, (reader) => tell(scope, { from, watches }, reader));
  },
});

async function tell(
  scope: Scope,
  { from, watches }: { readonly from: number; readonly watches: readonly Watch[] },
  reader: Reader,
): Promise<void> {
  const { send, signal: gone } = reader;
  const bell = new Bell(watches.length > 0 ? ["event", "log"] : ["event"], streamPace);
  try {
    let seq = from;
    while (!gone.aborted) {
      for (const watch of watches) {
        const { attempt, n } = watch.cursor;
        const newest = (await countLines(scope, watch.buildId, attempt)) - newestLines;
        const cursor = { attempt, n: Math.max(n, newest) };
        watch.cursor = await sendLines(scope, watch.buildId, cursor, reader);
      }
      const changes = await readTogether(`events ${scope} ${seq}`, () => listEvents(scope, seq));
      for (const change of changes) send({ event: "change", data: change });
      seq = changes.at(-1)?.seq ?? seq;
      if (changes.length < 200) await bell.wait(streamPace.lookAgainMs, gone);
    }
  } finally {
    await bell.close();
  }
}

function parseWatch(text: string): Watch {
  const at = text.indexOf(":");
  const cursor = parseLogCursor(text.slice(at + 1));
  if (at < 0 || !cursor)
    throw fail("CURSOR_INVALID", "A log cursor is <build id>:<attempt>:<last line>.", {
      field: "log",
    });
  return { buildId: text.slice(0, at), cursor };
}
