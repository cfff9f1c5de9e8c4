import { ErrorNote, Skeleton } from "@/components/ui";
import type { Log } from "./use-log";

/** In the place of lines while there are none: that they come, why they do not, or that none was written. */
export function LogAbsence({ log, running }: { log: Log; running: boolean }) {
  if (log.lines.length > 0) return null;
  return (
    <>
      {log.error ? (
        <div className="p-4">
          <ErrorNote title="The log cannot be read." error={log.error} />
        </div>
      ) : null}
      {!log.filled && !log.error ? (
        <div className="p-4">
          <Skeleton lines={8} height={14} />
        </div>
      ) : null}
      {log.filled ? (
        <p className="p-4 text-dense text-muted">
          {running
            ? "Nothing written yet. Lines appear here as the tools write them."
            : "Nothing was written."}
        </p>
      ) : null}
    </>
  );
}
