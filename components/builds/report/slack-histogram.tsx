import { useTranslations } from "next-intl";
import { useId } from "react";
import { formatCount, Picture } from "@/components/ui";
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
  const title = t("clockOf", {
    name,
    reached: achievedMhz.toFixed(1),
    wanted: targetMhz.toFixed(1),
    met: achievedMhz >= targetMhz ? "yes" : "no",
  });
  if (!slack) {
    return (
      <div className="mb-6">
        <h3 className="text-dense">{title}</h3>
        <ClockBar timing={timing} />
        <p className="text-dense text-muted">{t("noSlack")}</p>
      </div>
    );
  }
  return (
    <div className="mb-6 max-w-2xl">
      <Picture
        title={title}
        summary={t("slackNote", { words: slackWords(slack, t) })}
        file={`slack-${name}`}
        rows={binsOf(slack)}
        columns={[
          {
            id: "fromNs",
            label: t("slackFrom"),
            value: (bin) => bin.fromNs,
            show: (bin) => ns(bin.fromNs),
          },
          {
            id: "toNs",
            label: t("slackTo"),
            value: (bin) => bin.toNs,
            show: (bin) => ns(bin.toNs),
          },
          {
            id: "count",
            label: t("slackEnds"),
            value: (bin) => bin.count,
            show: (bin) => formatCount(bin.count),
          },
        ]}
      >
        <ClockBar timing={timing} />
        <Bars slack={slack} />
      </Picture>
    </div>
  );
}

type Slack = NonNullable<ClockTiming["slack"]>;

const binsOf = ({ fromNs, binNs, counts }: Slack) =>
  counts.map((count, bin) => ({
    fromNs: fromNs + bin * binNs,
    toNs: fromNs + (bin + 1) * binNs,
    count,
  }));

function slackWords(slack: Slack, t: ReturnType<typeof useTranslations<"builds.report">>): string {
  const { ends, worstNs, fromNs } = slack;
  const bins = binsOf(slack);
  const late = bins.filter(({ toNs }) => toNs <= 0).reduce((sum, { count }) => sum + count, 0);
  return t("slack", {
    worst: ns(worstNs),
    ends: formatCount(ends),
    from: ns(fromNs),
    to: ns(bins.at(-1)?.toNs ?? fromNs),
    late: late > 0 ? formatCount(late) : "none",
  });
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

function Bars({ slack }: { slack: Slack }) {
  const t = useTranslations("builds.report");
  const late = useId();
  const { fromNs, binNs, counts } = slack;
  const toNs = fromNs + counts.length * binNs;
  const low = Math.min(0, fromNs);
  const x = (value: number) => ((value - low) / (toNs - low)) * width;
  const top = Math.max(...counts);
  const step = Math.ceil((toNs - low) / most / binNs) * binNs;
  const ticks = Array.from(
    { length: Math.floor((toNs - low) / step) + 1 },
    (_, at) => low + at * step,
  );
  return (
    <svg viewBox={`0 0 ${width} ${height + foot}`} className="block w-full" aria-hidden="true">
      <defs>
        <pattern
          id={late}
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
            data-point={bin}
            x={x(start) + 0.5}
            y={height - tall}
            width={Math.max(1, x(start + binNs) - x(start) - 1)}
            height={tall}
            fill={start < 0 ? `url(#${late})` : "var(--copper)"}
          />
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
  );
}
