import { readLog } from "@/domain/builds";
import type { LogLine, Scope } from "@/lib/common/contract";
import { plainLine } from "@/lib/common/log-outline";

/** How a whole log is written: as the tools wrote it, without colours and redrawn progress, or a line of JSON for each of its own. */
export const logFileFormats = ["text", "plain", "jsonl"] as const;
type LogFileFormat = (typeof logFileFormats)[number];

const formats: Readonly<
  Record<
    LogFileFormat,
    {
      readonly extension: string;
      readonly type: string;
      readonly write: (line: LogLine) => string;
    }
  >
> = {
  text: { extension: "log", type: "text/plain; charset=utf-8", write: ({ text }) => text },
  plain: {
    extension: "txt",
    type: "text/plain; charset=utf-8",
    write: ({ text }) => plainLine(text),
  },
  jsonl: { extension: "jsonl", type: "application/jsonl", write: (line) => JSON.stringify(line) },
};

/** Lines that are read at a time. */
const stride = 2000;

interface LogFile {
  /** Default: the newest. */
  readonly attempt?: number;
  readonly format: LogFileFormat;
  /** By gzip. */
  readonly isCompressed: boolean;
}

/**
 * One attempt's log as a file, read as fast as it is taken.
 *
 * @throws {AppError} `BUILD_UNKNOWN`, also for an attempt that never was.
 */
export async function logFile(
  scope: Scope,
  id: string,
  { format, isCompressed, ...wanted }: LogFile,
): Promise<Response> {
  const { attempt, total } = await readLog(scope, id, { ...wanted, from: 1, limit: 1 });
  const { extension, type, write } = formats[format];
  const encoder = new TextEncoder();
  let next = 1;
  const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      // Also of a build that nobody has begun: it has no attempt that could be read again.
      if (total === 0) return controller.close();
      const { lines } = await readLog(scope, id, { attempt, from: next, limit: stride });
      const last = lines.at(-1);
      if (!last) return controller.close();
      next = last.n + 1;
      controller.enqueue(encoder.encode(lines.map((line) => `${write(line)}\n`).join("")));
    },
  });
  const name = `${id}-${attempt}.${extension}`;
  return new Response(isCompressed ? bytes.pipeThrough(new CompressionStream("gzip")) : bytes, {
    headers: {
      "content-type": isCompressed ? "application/gzip" : type,
      // A tab shows a log: as text, since every answer has `nosniff` and the policy of the interface.
      "content-disposition": isCompressed
        ? `attachment; filename="${name}.gz"`
        : `inline; filename="${name}"`,
    },
  });
}
