import { useTranslations } from "next-intl";
import { useId } from "react";
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
  const t = useTranslations("simulate.controls");
  const { rows, row, onRow, view, isSameRow, onReset, onDump } = props;
  const busy = view.busy !== null;
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        {rows > 1 ? <RowChoice rows={rows} row={row} onRow={onRow} /> : null}
        <Steps {...props} />
        <button type="button" className="btn" disabled={busy} onClick={onReset}>
          {t("reset")}
        </button>
        <span className="flex-1" />
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          disabled={busy || !view.trace}
          onClick={onDump}
        >
          {t("dump")}
        </button>
      </div>
      <p role="status" className="mt-2 text-dense text-muted">
        {isSameRow ? standing(view, t) : t("changed")}
      </p>
    </>
  );
}

function RowChoice({ rows, row, onRow }: Pick<ControlsProps, "rows" | "row" | "onRow">) {
  const t = useTranslations("simulate.controls");
  const id = useId();
  const input = () => (
    <input
      id={id}
      type="number"
      className="field h-9 w-20"
      min={1}
      max={rows}
      value={row + 1}
      onChange={(event) => onRow(Math.max(0, Math.trunc(event.target.valueAsNumber || 1) - 1))}
    />
  );
  return (
    <label htmlFor={id} className="mr-2 flex items-center gap-2 text-dense">
      {t.rich("row", { input, rows: formatCount(rows) })}
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
  const t = useTranslations("simulate.controls");
  const busy = view.busy !== null;
  const isOver = isSameRow && view.progress?.answer != null;
  return (
    <>
      {view.busy === "advance" ? (
        <button type="button" className="btn" onClick={onStop}>
          {t("stop")}
        </button>
      ) : (
        <button
          type="button"
          className="btn btn-primary"
          disabled={busy}
          onClick={() => onAdvance("answer")}
        >
          {t("answer")}
        </button>
      )}
      <button
        type="button"
        className="btn"
        disabled={busy || isOver}
        onClick={() => onAdvance("cycle")}
      >
        {t("cycle")}
      </button>
      <button
        type="button"
        className="btn"
        disabled={busy || isOver}
        onClick={() => onAdvance("transfer")}
      >
        {t("transfer")}
      </button>
    </>
  );
}

function standing(
  { progress, busy }: SimulationView,
  t: ReturnType<typeof useTranslations<"simulate.controls">>,
): string {
  if (!progress) return "";
  const { cycle, taken, given, answer } = progress;
  return t("standing", {
    cycle: formatCount(cycle),
    taken,
    in: formatCount(taken),
    given,
    out: formatCount(given),
    state: answer ? "answered" : busy === "advance" ? "running" : "waiting",
  });
}
