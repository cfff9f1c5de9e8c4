import { useTranslations } from "next-intl";
import { formatCount } from "@/components/ui";
import type { ClockTiming } from "@/lib/common/contract";

const width = 560;
const height = 150;
const foot = 22;
const most = 5;

const ns = (value: number) => value.toFixed(Math.abs(value) < 10 ? 1 : 0).replace("-", "−");

/** One clock: what it reaches against its target, and how much time is left at its registers. */
export function SlackHistogram({ timing }: { timing: ClockTiming }) {
  const t = useTranslations("builds.report");
  const { name, achievedMhz, targetMhz, slack } = timing;
  const isMet = achievedMhz >= targetMhz;
  return (
    <div className="mb-6">
      <h3 className="text-dense">
        {t.rich("clockOf", {
          wanted: targetMhz.toFixed(1),
          name: () => <code>{name}</code>,
          reached: () => (
            <>
              {achievedMhz.toFixed(1)}
              <span className="unit">MHz</span>
            </>
          ),
          rest: (words) => <span className="font-normal text-muted">{words}</span>,
          met: () => (
            <span className={isMet ? "text-ok" : "text-bad"}>{t(isMet ? "met" : "notMet")}</span>
          ),
        })}
      </h3>
      <ClockBar timing={timing} />
      {slack ? <Bars slack={slack} /> : <p className="text-dense text-muted">{t("noSlack")}</p>}
    </div>
  );
}

/** Reached against wanted, with the target as a line. */
function ClockBar({ timing: { achievedMhz, targetMhz } }: { timing: ClockTiming }) {
  const scale = 100 / (Math.max(achievedMhz, targetMhz) * 1.05);
  return (
    <div className="bar my-2" aria-hidden="true">
      <i className="bar-fill" style={{ width: `${achievedMhz * scale}%` }} />
      <b className="bar-mark w-0.5! bg-text!" style={{ left: `${targetMhz * scale}%` }} />
    </div>
  );
}

function Bars({ slack }: { slack: NonNullable<ClockTiming["slack"]> }) {
  const t = useTranslations("builds.report");
  const { ends, worstNs, fromNs, binNs, counts } = slack;
  const toNs = fromNs + counts.length * binNs;
  const low = Math.min(0, fromNs);
  const x = (value: number) => ((value - low) / (toNs - low)) * width;
  const top = Math.max(...counts);
  const step = Math.ceil((toNs - low) / most / binNs) * binNs;
  const ticks = Array.from(
    { length: Math.floor((toNs - low) / step) + 1 },
    (_, at) => low + at * step,
  );
  const late = counts.filter((_, bin) => fromNs + (bin + 1) * binNs <= 0);
  const words = t("slack", {
    worst: ns(worstNs),
    ends: formatCount(ends),
    from: ns(fromNs),
    to: ns(toNs),
    late: late.length > 0 ? formatCount(late.reduce((sum, count) => sum + count, 0)) : "none",
  });
  return (
    <figure className="max-w-2xl">
      <svg
        viewBox={`0 0 ${width} ${height + foot}`}
        className="block w-full"
        role="img"
        aria-label={words}
      >
        <defs>
          <pattern
            id="late"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" fill="var(--sunken)" />
            <rect width="2.5" height="6" fill="var(--bad)" />
          </pattern>
        </defs>
        {counts.map((count, bin) => {
          const start = fromNs + bin * binNs;
          const tall = count === 0 ? 0 : Math.max(1.5, (count / top) * (height - 14));
          return (
            <rect
              key={start}
              x={x(start) + 0.5}
              y={height - tall}
              width={Math.max(1, x(start + binNs) - x(start) - 1)}
              height={tall}
              fill={start < 0 ? "url(#late)" : "var(--copper)"}
            >
              <title>
                {t("slackBar", {
                  count: formatCount(count),
                  from: ns(start),
                  to: ns(start + binNs),
                })}
              </title>
            </rect>
          );
        })}
        <line x1="0" x2={width} y1={height} y2={height} stroke="var(--line-strong)" />
        <line x1={x(0)} x2={x(0)} y1="0" y2={height} stroke="var(--text)" strokeWidth="1.5" />
        <text x={x(0) + 5} y="14" className="fill-muted text-[11px] max-tablet:text-[18px]">
          {t("target")}
        </text>
        {ticks.map((tick) => (
          <text
            key={tick}
            x={x(tick)}
            y={height + 17}
            textAnchor={tick === low ? "start" : "middle"}
            className="fill-muted text-[11px] max-tablet:text-[18px]"
          >
            {ns(tick)}
          </text>
        ))}
      </svg>
      <figcaption className="text-dense text-muted">{t("slackNote", { words })}</figcaption>
    </figure>
  );
}
