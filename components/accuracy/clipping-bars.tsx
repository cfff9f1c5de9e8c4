import { useTranslations } from "next-intl";
import { formatShare, Picture } from "@/components/ui";
import type { Clipping } from "@/lib/common/contract";

/** A bar that is full at this share: clipping beyond a few percent is a fault in the ranges. */
const fullShare = 0.05;
/** Calibration lets the largest of the values saturate on purpose; ten times that deserves a look. */
const usualShare = 0.001;
const notableShare = 10 * usualShare;

/** How much of each tensor met the edge of its grid. */
export function ClippingBars({ clipping }: { clipping: readonly Clipping[] }) {
  const t = useTranslations("accuracy.clipping");
  if (clipping.length === 0) return null;
  const [most] = clipping.toSorted((a, b) => b.share - a.share);
  return (
    <Picture
      title={
        most && most.share > 0
          ? t("finding", { tensor: most.tensor, share: shownShare(most.share) })
          : t("none")
      }
      summary={t("scale", { full: formatShare(fullShare), usual: formatShare(usualShare) })}
      file="saturated-values"
      rows={clipping}
      columns={[
        { id: "tensor", label: t("tensor"), value: ({ tensor }) => tensor },
        { id: "role", label: t("role"), value: ({ role }) => role, show: ({ role }) => t(role) },
        {
          id: "share",
          label: t("share"),
          value: ({ share }) => share,
          show: ({ share }) => shownShare(share),
        },
      ]}
    >
      <ul className="grid gap-3">
        {clipping.map(({ tensor, role, share }, index) => (
          <li key={`${role} ${tensor}`} data-point={index}>
            <div className="mb-1 flex items-baseline justify-between gap-3 text-dense">
              <span className="min-w-0 truncate" title={tensor}>
                {tensor} <span className="text-muted">{t(role)}</span>
              </span>
              <span className={share > notableShare ? "text-warn" : ""}>{shownShare(share)}</span>
            </div>
            <div className="bar">
              <i
                className={`bar-fill ${share > notableShare ? "bg-warn!" : ""}`}
                style={{ width: `${Math.min(100, (share / fullShare) * 100)}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </Picture>
  );
}

const thin = "\u2009";

/** Shares this small need their second digit. */
function shownShare(share: number): string {
  return share > 0 && share < 0.01 ? `${(share * 100).toPrecision(2)}${thin}%` : formatShare(share);
}
