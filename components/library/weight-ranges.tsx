"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import {
  formatCount,
  formatDigits,
  formatShape,
  formatShare,
  Picture,
  type PictureColumn,
  shortId,
} from "@/components/ui";
import type { ModelDetail } from "@/lib/common/contract";
import { buildsOfModelQuery } from "./api";
import { layerNames } from "./layer-names";
import { type Axis, linearAxis } from "./linear-axis";
import { choosingBuild, type ShownWeights, shownWeights } from "./shown-weights";

/** More rows nobody compares; the table has all. */
const mostDrawn = 40;

type Texts = ReturnType<typeof useTranslations<"library.weights">>;

const signed = (value: number) => formatDigits(value).replace("-", "−");

/** How the weights of each tensor lie, over what the precision of the newest build holds; in words where that is not known. */
export function WeightRanges({ model }: { readonly model: ModelDetail }) {
  const t = useTranslations("library.weights");
  const builds = useQuery(buildsOfModelQuery(model.id));
  const { weights } = model;
  if (!weights) return <p>{t(model.format === "savedmodel" ? "noPicture" : "old")}</p>;
  if (weights.length === 0) return <p className="text-muted">{t("none")}</p>;
  const build = choosingBuild(model, builds.data?.items ?? []);
  const rows = shownWeights(model, build);
  const nameOf = layerNames(rows.map(({ name }) => name));
  return (
    <>
      <Picture
        title={findingOf(rows, nameOf, t)}
        summary={[t("reading"), ...(build ? [t("grid")] : [])].join(" ")}
        file="weight-ranges"
        rows={rows}
        columns={columnsOf(t)}
      >
        <Boxes rows={rows.slice(0, mostDrawn)} nameOf={nameOf} />
      </Picture>
      <p className="mt-2 max-w-[80ch] text-dense text-muted">
        {rows.length > mostDrawn ? `${t("omitted", { count: rows.length - mostDrawn })} ` : null}
        {rows.some(({ sampled }) => sampled) ? `${t("sampled")} ` : null}
        {build
          ? t.rich("ofBuild", {
              name: build.endpointName ?? shortId(build.id),
              link: (words) => <Link href={`/builds/${build.id}`}>{words}</Link>,
            })
          : t("noBuild")}{" "}
        {t("noActivations")}
      </p>
    </>
  );
}

/** Which tensor leaves most of its range unused; without a range, which one spreads widest. */
function findingOf(rows: readonly ShownWeights[], nameOf: (name: string) => string, t: Texts) {
  const [tightest] = rows
    .filter(({ share }) => share !== undefined)
    .toSorted((a, b) => (a.share ?? 0) - (b.share ?? 0));
  if (tightest)
    return t("finding", {
      layer: nameOf(tightest.name),
      share: formatShare(tightest.share ?? 0),
      bits: tightest.bits ?? 0,
      count: rows.length,
    });
  const [widest] = rows.toSorted((a, b) => b.max - b.min - (a.max - a.min));
  return t("widest", {
    layer: nameOf(widest?.name ?? ""),
    min: signed(widest?.min ?? 0),
    max: signed(widest?.max ?? 0),
  });
}

const columnsOf = (t: Texts): PictureColumn<ShownWeights>[] => [
  { id: "layer", label: t("layer"), value: ({ name }) => name },
  { id: "tensor", label: t("tensor"), value: ({ tensor }) => tensor },
  {
    id: "shape",
    label: t("shape"),
    value: ({ shape }) => JSON.stringify(shape),
    show: ({ shape }) => formatShape(shape),
  },
  ...(["min", "q1", "median", "q3", "max"] as const).map((id) => ({
    id,
    label: t(id),
    value: (row: ShownWeights) => row[id],
    show: (row: ShownWeights) => signed(row[id]),
  })),
  { id: "bits", label: t("bits"), value: ({ bits }) => bits ?? null },
  {
    id: "limit",
    label: t("limit"),
    value: ({ limit }) => limit ?? null,
    show: ({ limit }) => (limit === undefined ? "–" : `±${formatDigits(limit)}`),
  },
  {
    id: "sampled",
    label: t("quartilesOf"),
    value: ({ sampled }) => sampled ?? null,
    show: ({ sampled }) => (sampled === undefined ? t("all") : formatCount(sampled)),
  },
];

/** One row for each tensor: its range outlined, a line from least to greatest, a box around the middle half. */
function Boxes({
  rows,
  nameOf,
}: {
  readonly rows: readonly ShownWeights[];
  readonly nameOf: (name: string) => string;
}) {
  const axis = linearAxis(
    rows.flatMap(({ min, max, limit = 0 }) => [min, max, ...(limit > 0 ? [-limit, limit] : [])]),
  );
  return (
    <div className="grid grid-cols-[minmax(64px,max-content)_minmax(0,1fr)] items-center gap-x-3 pr-4">
      {rows.map((row, index) => (
        <Row key={`${row.layer} ${row.tensor}`} {...{ row, index, axis }} name={nameOf(row.name)} />
      ))}
      <span />
      <div className="relative h-5">
        {axis.ticks.map((tick) => (
          <span
            key={tick}
            className="absolute -translate-x-1/2 text-label text-muted"
            style={{ left: `${axis.at(tick)}%` }}
          >
            {signed(tick)}
          </span>
        ))}
      </div>
    </div>
  );
}

function Row({
  row: { min, q1, median, q3, max, limit },
  index,
  axis,
  name,
}: {
  readonly row: ShownWeights;
  readonly index: number;
  readonly axis: Axis;
  readonly name: string;
}) {
  const from = (low: number, high: number) => ({
    left: `${axis.at(low)}%`,
    width: `max(2px, ${axis.at(high) - axis.at(low)}%)`,
  });
  return (
    <>
      <code className="max-w-32 truncate text-label tablet:max-w-56" title={name}>
        {name}
      </code>
      <div className="relative h-7 border-line border-b" data-point={index}>
        {limit === undefined ? null : (
          <i
            className="absolute top-1 bottom-1 border border-copper border-dashed"
            style={from(-limit, limit)}
          />
        )}
        <i className="absolute top-[13px] h-0.5 bg-muted" style={from(min, max)} />
        <i className="absolute top-2 bottom-2 bg-accent" style={from(q1, q3)} />
        <i
          className="absolute top-1.5 bottom-1.5 w-0.5 bg-text"
          style={{ left: `${axis.at(median)}%` }}
        />
      </div>
    </>
  );
}
