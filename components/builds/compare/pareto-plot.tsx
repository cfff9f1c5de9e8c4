import Link from "next/link";
import { useTranslations } from "next-intl";
import { formatCount, formatNs, formatShare, modelTitle, Picture } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { figuresOf, frontOf, letterOf, lossOf, type Point } from "./compared";
import { logScale, type Scale } from "./log-scale";
import { LossLegend, LossMark, markRadius } from "./loss-mark";
import { areOfOneModel } from "./rows";

const width = 640;
const height = 320;
const edge = { left: 84, right: 28, top: 18, bottom: 52 };

/** Latency against area, small being good in both; what no other build beats is joined. Colour and form of a point are its agreement. */
export function ParetoPlot({ builds }: { builds: readonly Build[] }) {
  const t = useTranslations("builds.compare");
  const points = builds.flatMap((build, index): Point[] => {
    const { cells, latencyNs } = figuresOf(build);
    return cells && latencyNs ? [{ index, cells, latencyNs }] : [];
  });
  if (points.length < 2) {
    return <p className="text-muted">{t("plotNeeds")}</p>;
  }
  // Between models, nothing beats anything.
  const isOneModel = areOfOneModel(builds);
  const front = isOneModel ? frontOf(points) : [];
  const x = logScale(
    points.map(({ cells }) => cells),
    edge.left,
    width - edge.right,
  );
  const y = logScale(
    points.map(({ latencyNs }) => latencyNs),
    height - edge.bottom,
    edge.top,
  );
  const line = front.map(({ cells, latencyNs }) => `${x.at(cells)},${y.at(latencyNs)}`).join(" ");
  const rows = points.flatMap((point) => {
    const build = builds[point.index];
    if (!build) return [];
    const { agreement } = figuresOf(build);
    return [{ ...point, build, agreement, isFront: front.includes(point) }];
  });
  const times = points.map(({ latencyNs }) => latencyNs);
  return (
    <div className="max-w-3xl">
      <Picture
        title={
          isOneModel
            ? t("finding", { front: front.length })
            : t("spread", {
                count: points.length,
                least: formatNs(Math.min(...times)),
                most: formatNs(Math.max(...times)),
              })
        }
        summary={isOneModel ? t("plotOneModel") : t("plotModels")}
        file="latency-against-area"
        keys="own"
        rows={rows}
        columns={[
          { id: "letter", label: t("letter"), value: ({ index }) => letterOf(index) },
          {
            id: "build",
            label: t("build"),
            value: ({ build }) => build.id,
            show: ({ build }) => build.endpointName ?? modelTitle(build.modelUrl, build.modelName),
          },
          {
            id: "logicCells",
            label: t("logicCells"),
            value: ({ cells }) => cells,
            show: ({ cells }) => formatCount(cells),
          },
          {
            id: "latencyNs",
            label: t("latency"),
            value: ({ latencyNs }) => latencyNs,
            show: ({ latencyNs }) => formatNs(latencyNs),
          },
          {
            id: "agreement",
            label: t("agreementHead"),
            value: ({ agreement }) => agreement,
            show: ({ agreement }) => (agreement === null ? "–" : formatShare(agreement)),
          },
          {
            id: "isFront",
            label: t("frontHead"),
            value: ({ isFront }) => isFront,
            show: ({ isFront }) => t(isFront ? "yes" : "no"),
          },
        ]}
      >
        <svg viewBox={`0 0 ${width} ${height}`} className="block w-full">
          <title>{t("plotTitle")}</title>
          <Axes x={x} y={y} />
          <polyline
            points={line}
            fill="none"
            stroke="var(--copper)"
            strokeWidth="1.5"
            strokeDasharray="5 4"
          />
          {rows.map(({ build, isFront, ...point }, order) => (
            <Mark
              key={build.id}
              build={build}
              point={point}
              isFront={isFront}
              beside={points.slice(0, order).filter((other) => isAlike(other, point)).length}
              place={[x.at(point.cells), y.at(point.latencyNs)]}
            />
          ))}
        </svg>
      </Picture>
      <LossLegend shown={rows.map(lossOf)} />
    </div>
  );
}

const wordClass = "fill-muted text-[12px] max-tablet:text-[20px]";

function Axes({ x, y }: { x: Scale; y: Scale }) {
  const t = useTranslations("builds.compare");
  const bottom = height - edge.bottom;
  const right = width - edge.right;
  return (
    <>
      {x.ticks.map((tick) => (
        <g key={tick}>
          <line x1={x.at(tick)} x2={x.at(tick)} y1={edge.top} y2={bottom} stroke="var(--line)" />
          <text x={x.at(tick)} y={bottom + 16} textAnchor="middle" className={wordClass}>
            {formatCount(tick)}
          </text>
        </g>
      ))}
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line x1={edge.left} x2={right} y1={y.at(tick)} y2={y.at(tick)} stroke="var(--line)" />
          <text x={edge.left - 8} y={y.at(tick) + 4} textAnchor="end" className={wordClass}>
            {formatNs(tick)}
          </text>
        </g>
      ))}
      <text x={right} y={height - 8} textAnchor="end" className={wordClass}>
        {t("logicCells")}
      </text>
    </>
  );
}

function Mark({
  build,
  point,
  isFront,
  beside,
  place: [left, top],
}: {
  build: Build;
  point: Point;
  isFront: boolean;
  /** Letters that stand here already, of builds that are alike. */
  beside: number;
  place: readonly [left: number, top: number];
}) {
  const t = useTranslations("builds.compare");
  const { agreement } = figuresOf(build);
  const letter = letterOf(point.index);
  const words = [
    `${letter}: ${build.endpointName ?? modelTitle(build.modelUrl, build.modelName)}`,
    t("cells", { count: formatCount(point.cells) }),
    formatNs(point.latencyNs),
    ...(agreement === null ? [] : [t("agreement", { share: formatShare(agreement) })]),
    ...(isFront ? [t("beatenByNone")] : []),
  ].join(", ");
  return (
    <Link href={`/builds/${build.id}`} aria-label={words}>
      <title>{words}</title>
      <g transform={`translate(${left} ${top})`}>
        {/* What a finger meets: 24 px on a phone too, where the drawing is less than half as large. */}
        <circle r="13" fill="transparent" className="max-tablet:[r:28px]" />
        <LossMark loss={lossOf({ agreement })} isFaded={!isFront} />
      </g>
      <text
        x={left + 16 * beside}
        y={top - markRadius - 6}
        textAnchor="middle"
        className={`text-[13px] max-tablet:text-[20px] ${isFront ? "fill-text font-strong" : "fill-muted"}`}
      >
        {letter}
      </text>
    </Link>
  );
}

const isAlike = (a: Point, b: Point) => a.cells === b.cells && a.latencyNs === b.latencyNs;
