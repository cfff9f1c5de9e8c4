import { z } from "zod";
import { getBuild, readLog } from "@/domain/builds";
import {
  attemptQuerySchema,
  largestOrdinal,
  logPageSchema,
  type Scope,
} from "@/lib/common/contract";
import { Bell } from "@/lib/server/db";
import { defineHandler, Reply } from "@/lib/server/handler";
import { eventStream, streamPace } from "../../../_shared/event-stream";
import { logFile, logFileFormats } from "../../../_shared/log-file";
import {
  followedBuild,
  type LogCursor,
  nextAttempt,
  parseLogCursor,
  sendLines,
} from "../../../_shared/log-stream";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

const querySchema = z.strictObject({
  attempt: attemptQuerySchema,
  /** With `from`: a page of lines as JSON. */
  from: z.coerce.number().int().min(1).max(largestOrdinal).optional(),
  limit: z.coerce.number().int().min(1).max(5000).default(1000),
  /** `json`: a page of lines. The others are the whole log as a file. */
  format: z.enum(["json", ...logFileFormats]).optional(),
  /** Of a file. */
  compression: z.enum(["none", "gzip"]).default("none"),
});

/** Three readings of one log: a live stream, a file of the whole, or a page of lines as JSON. */
export const GET = defineHandler({
  name: "builds.log",
  needs: "read",
  summary:
    "The log: server-sent events (`id: <attempt>:<n>`, resumable by Last-Event-ID), a page of lines with `from`, or whole with `Accept: text/plain` or `format`: `text` as the tools wrote it, `plain` without colours, `jsonl` a line of JSON each.",
  params: idParams,
  query: querySchema,
  rawResponse: "text/event-stream",
  handle: async ({ scope, params: { id }, query, request, signal }) => {
    const accept = request.headers.get("accept") ?? "";
    const pick = query.attempt === undefined ? {} : { attempt: query.attempt };
    const format = query.format ?? (accept.startsWith("text/plain") ? "text" : undefined);
    if (format !== undefined && format !== "json")
      return await logFile(scope, id, {
        ...pick,
        format,
        isCompressed: query.compression === "gzip",
      });
    if (format === "json" || query.from !== undefined || accept.startsWith("application/json")) {
      const page = await readLog(scope, id, { ...pick, from: query.from ?? 1, limit: query.limit });
      return new Reply(200, logPageSchema.parse(page));
    }
    await getBuild(scope, id);
    const resumed = parseLogCursor(request.headers.get("last-event-id") ?? "");
    return follow(scope, id, resumed ?? { attempt: query.attempt ?? 1, n: 0 }, signal);
  },
});

/** Sends every attempt from the cursor on, until the build has ended. */
function follow(scope: Scope, id: string, from: LogCursor, signal: AbortSignal): Response {
  return eventStream(signal, async (reader) => {
    const { send, signal: gone } = reader;
    const bell = new Bell(["log", "event"], streamPace);
    try {
      let cursor = from;
      while (!gone.aborted) {
        const build = await followedBuild(scope, id);
        if (build.attempt >= cursor.attempt) {
          const { final, ...sent } = await sendLines(scope, id, cursor, reader);
          cursor = sent;
          const next = final ? await nextAttempt(scope, id, cursor.attempt) : null;
          if (next === "ended") {
            const { state } = await followedBuild(scope, id);
            return send({ event: "end", data: { state } });
          }
          if (next) {
            cursor = next;
            continue;
          }
        } else if (build.endedAt !== null)
          return send({ event: "end", data: { state: build.state } });
        await bell.wait(streamPace.lookAgainMs, gone);
      }
    } finally {
      await bell.close();
    }
  });
}
