import { formatCount, ToneIcon } from "@/components/ui";
import type { SimulationView } from "./use-simulation";

/** Every row that the build proved, run again here. */
export function VectorsLine({
  view,
  onRun,
  onStop,
}: {
  view: SimulationView;
  onRun: () => void;
  onStop: () => void;
}) {
  const { vectors, busy } = view;
  const running = busy === "vectors";
  return (
    <section aria-label="Vectors" className="mt-8">
      <h3>The build’s own test vectors</h3>
      <p className="mt-1 max-w-[68ch] text-muted">
        The rows with which the build held the design against the integer graph, and what that
        answered.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {running ? (
          <button type="button" className="btn" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="button" className="btn" disabled={busy !== null} onClick={onRun}>
            Run all vectors
          </button>
        )}
        {vectors ? (
          <div
            role="progressbar"
            aria-label="Vectors run"
            aria-valuemin={0}
            aria-valuemax={vectors.total}
            aria-valuenow={vectors.done}
            className="bar w-48"
          >
            <i className="bar-fill" style={{ width: `${(vectors.done / vectors.total) * 100}%` }} />
          </div>
        ) : null}
        <p role="status" className="flex items-baseline gap-2 text-dense">
          {vectors && !running ? (
            <ToneIcon tone={vectors.equal === vectors.done ? "ok" : "bad"} />
          ) : null}
          <span>{words(view, running)}</span>
        </p>
      </div>
    </section>
  );
}

function words({ vectors }: SimulationView, running: boolean): string {
  if (!vectors) return "";
  const { total, done, equal, firstDifferent, cyclesPerSecond } = vectors;
  if (running) return `${formatCount(done)} of ${formatCount(total)}`;
  const rate = cyclesPerSecond > 0 ? ` · ${formatCount(cyclesPerSecond)} cycles per second` : "";
  const first =
    firstDifferent === null ? "" : `, the first that differs is row ${firstDifferent + 1}`;
  const outOf = done === total ? formatCount(total) : `${formatCount(done)} run`;
  const rest = done === total ? "" : `, stopped before the last ${formatCount(total - done)}`;
  return `${formatCount(equal)} of ${outOf} equal${first}${rest}${rate}`;
}
