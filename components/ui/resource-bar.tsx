import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { formatCount, formatShare } from "./format";
import { toneClass } from "./tone";

/** Of a resource that a part has so few of, such as PLLs, a design takes whole ones: to use all of them is no warning. */
const few = 4;

/** Used of available, with marks at 80 and 100 %; hatched while it is a forecast. Past the budget the bar is full and the words say by how much. */
export function ResourceBar({
  name,
  used,
  available,
  guess = false,
  margin,
}: {
  name: ReactNode;
  used: number;
  available: number;
  guess?: boolean;
  /** Error of a forecast, as a share: 0.08 for ±8 %. */
  margin?: number | undefined;
}) {
  const t = useTranslations("ui.bar");
  const share = available === 0 ? (used === 0 ? 0 : 2) : used / available;
  const isFull = share >= 0.8 && available > few;
  const tone = share > 1 ? "bad" : isFull ? "warn" : "idle";
  const verdict =
    share > 1
      ? t("tooMany", { count: formatCount(used - available) })
      : share === 1
        ? t("all")
        : isFull
          ? t("nearly")
          : null;
  return (
    <div className="mb-3">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-dense">
        <span>{name}</span>
        <span>
          {t.rich("used", {
            about: margin === undefined ? "no" : "yes",
            used: formatCount(used),
            available: formatCount(available),
            muted: (words) => <span className="text-muted">{words}</span>,
          })}
          {margin === undefined ? null : (
            <span className="text-muted">
              {" "}
              ±{"\u2009"}
              {Math.round(margin * 100)}
              {"\u2009"}%
            </span>
          )}
        </span>
      </div>
      <div className="bar" aria-hidden="true">
        <i
          className={`bar-fill ${guess ? "bar-guess" : ""}`}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
        <b className="bar-mark" style={{ left: "80%" }} />
        <b className="bar-mark" style={{ right: 0 }} />
      </div>
      <div className="flex justify-between text-label text-muted">
        <span className={verdict ? toneClass[tone] : ""}>{verdict}</span>
        <span>{formatShare(Math.min(share, 9.99))}</span>
      </div>
    </div>
  );
}
