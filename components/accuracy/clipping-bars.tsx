import { formatShare } from "@/components/ui";
import type { Clipping } from "@/lib/common/contract";

const roles = {
  inputs: "inputs",
  hidden: "hidden values",
  scores: "scores",
} as const satisfies Record<Clipping["role"], string>;

/** A bar that is full at this share: clipping beyond a few percent is a fault in the ranges. */
const fullShare = 0.05;
/** Calibration lets the largest 0.1 % saturate on purpose; ten times that deserves a look. */
const notableShare = 0.01;

/** How much of each tensor met the edge of its grid. */
export function ClippingBars({ clipping }: { clipping: readonly Clipping[] }) {
  if (clipping.length === 0) return null;
  return (
    <div className="min-w-0">
      <h3 className="mb-1">Values that saturate</h3>
      <p className="mb-3 text-label text-muted">
        A full bar is {formatShare(fullShare)} of the tensor. About 0.1 % is meant to.
      </p>
      <ul className="grid gap-3">
        {clipping.map(({ tensor, role, share }) => (
          <li key={`${role} ${tensor}`}>
            <div className="mb-1 flex items-baseline justify-between gap-3 text-dense">
              <span className="min-w-0 truncate" title={tensor}>
                {tensor} <span className="text-muted">{roles[role]}</span>
              </span>
              <span className={share > notableShare ? "text-warn" : ""}>{shownShare(share)}</span>
            </div>
            <div className="bar" aria-hidden="true">
              <i
                className={`bar-fill ${share > notableShare ? "bg-warn!" : ""}`}
                style={{ width: `${Math.min(100, (share / fullShare) * 100)}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

const thin = "\u2009";

/** Shares this small need their second digit. */
function shownShare(share: number): string {
  if (share === 0) return "none";
  return share < 0.01 ? `${(share * 100).toPrecision(2)}${thin}%` : formatShare(share);
}
