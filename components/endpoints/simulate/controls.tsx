import { formatCount } from "@/components/ui";
import type { Goal } from "./messages";
import type { SimulationView } from "./use-simulation";

interface ControlsProps {
  rows: number;
  row: number;
  onRow: (row: number) => void;
  view: SimulationView;
  /** Whether the core holds the row of the editor. */
  isSameRow: boolean;
  onAdvance: (goal: Goal) => void;
  onReset: () => void;
  onStop: () => void;
  onDump: () => void;
}

/** What can be done with the row in the core, and where it stands. */
export function Controls(props: ControlsProps) {
  const { rows, row, onRow, view, isSameRow, onReset, onDump } = props;
  const busy = view.busy !== null;
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        {rows > 1 ? <RowChoice rows={rows} row={row} onRow={onRow} /> : null}
        <Steps {...props} />
        <button type="button" className="btn" disabled={busy} onClick={onReset}>
          Reset
        </button>
        <span className="flex-1" />
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          disabled={busy || !view.trace}
          onClick={onDump}
        >
          Download VCD
        </button>
      </div>
      <p role="status" className="mt-2 text-dense text-muted">
        {isSameRow
          ? standing(view)
          : "The row of the editor changed: the next step starts with it."}
      </p>
    </>
  );
}

function RowChoice({ rows, row, onRow }: Pick<ControlsProps, "rows" | "row" | "onRow">) {
  return (
    <label className="mr-2 flex items-center gap-2 text-dense">
      Row
      <input
        type="number"
        className="field h-9 w-20"
        min={1}
        max={rows}
        value={row + 1}
        onChange={(event) => onRow(Math.max(0, Math.trunc(event.target.valueAsNumber || 1) - 1))}
      />
      of {formatCount(rows)}
    </label>
  );
}

/** The ways to go on, by how far; while the core runs to its answer, the first of them stops it. */
function Steps({
  view,
  isSameRow,
  onAdvance,
  onStop,
}: Pick<ControlsProps, "view" | "isSameRow" | "onAdvance" | "onStop">) {
  const busy = view.busy !== null;
  const isOver = isSameRow && view.progress?.answer != null;
  return (
    <>
      {view.busy === "advance" ? (
        <button type="button" className="btn" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button
          type="button"
          className="btn btn-primary"
          disabled={busy}
          onClick={() => onAdvance("answer")}
        >
          Run to the answer
        </button>
      )}
      <button
        type="button"
        className="btn"
        disabled={busy || isOver}
        onClick={() => onAdvance("cycle")}
      >
        Step one cycle
      </button>
      <button
        type="button"
        className="btn"
        disabled={busy || isOver}
        onClick={() => onAdvance("transfer")}
      >
        Step to next byte
      </button>
    </>
  );
}

const bytes = (count: number) => `${formatCount(count)} ${count === 1 ? "byte" : "bytes"}`;

function standing({ progress, busy }: SimulationView): string {
  if (!progress) return "";
  const { cycle, taken, given, answer } = progress;
  const where = `Cycle ${formatCount(cycle)} · ${bytes(taken)} in · ${bytes(given)} out`;
  if (answer) return `${where} · the answer is whole`;
  return busy === "advance" ? `${where} · running` : where;
}
