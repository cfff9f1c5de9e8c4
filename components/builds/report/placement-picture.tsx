"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from "react";
import { formatCount, Picture } from "@/components/ui";
import type { Placement } from "@/lib/common/contract";
import type { SectionLook } from "./section-hues";
import { SectionSwatch, SectionTexture } from "./section-texture";
import { neighbour, pathsOf, type Tile, tileKey, tilesOf } from "./tiles";

const steps = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const;
const isStep = (key: string): key is keyof typeof steps => key in steps;

/** The chip as a grid of tiles, each in the colour of what lies in it. Pointer and arrow keys read tiles out. */
export function PlacementPicture({
  placement,
  hues,
  nameOf,
  chosen,
}: {
  placement: Placement;
  hues: ReadonlyMap<string, SectionLook>;
  nameOf: (section: string) => string;
  /** The section that stands out; null for all alike. */
  chosen: string | null;
}) {
  const t = useTranslations("builds.report");
  const { columns, rows } = placement;
  const tiles = useMemo(() => tilesOf(placement), [placement]);
  const paths = useMemo(() => pathsOf(tiles.values()), [tiles]);
  const sections = [...paths.keys()];
  const texture = useId();
  const [at, setAt] = useState<Tile | null>(null);

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    setAt(tiles.get(tileKey(column, row)) ?? null);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") setAt(null);
    if (!isStep(event.key)) return;
    event.preventDefault();
    const [first = null] = tiles.values();
    setAt(at === null ? first : (neighbour(tiles.values(), at, steps[event.key]) ?? at));
  };

  const points = useMemo(
    () => [...tiles.values()].flatMap((tile) => tile.shares.map((share) => ({ tile, share }))),
    [tiles],
  );
  return (
    <Picture
      title={t("placementFinding", {
        tiles: formatCount(tiles.size),
        all: formatCount(columns * rows),
        name: nameOf(largestOf(points)),
      })}
      summary={t("placementName", { columns, rows })}
      file="placement"
      keys="own"
      rows={points}
      columns={[
        { id: "column", label: t("column"), value: ({ tile }) => tile.column },
        { id: "row", label: t("row"), value: ({ tile }) => tile.row },
        {
          id: "section",
          label: t("section"),
          value: ({ share }) => share.section,
          show: ({ share }) => nameOf(share.section),
        },
        {
          id: "kind",
          label: t("tileKind"),
          value: ({ share }) => share.kind,
          show: ({ share }) => t(`tileKinds.${share.kind}`),
        },
        { id: "cells", label: t("cellCount"), value: ({ share }) => share.cells },
      ]}
    >
      <div
        role="application"
        aria-label={t("placementName", { columns, rows })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk over it
        tabIndex={0}
        onKeyDown={press}
        onBlur={() => setAt(null)}
        className="mx-auto w-fit max-w-full rounded-control border border-copper bg-sunken p-2"
      >
        <svg
          viewBox={`0 0 ${columns} ${rows}`}
          className="block max-h-96 w-full max-w-full"
          style={{ aspectRatio: `${columns} / ${rows}` }}
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
          aria-hidden="true"
        >
          <defs>
            {sections.map((section, at) => (
              <SectionTexture
                key={section}
                id={`${texture}-${at}`}
                look={hues.get(section)}
                size={0.5}
              />
            ))}
          </defs>
          {[...paths].map(([section, path]) => (
            <path
              key={section}
              d={path}
              fill={`url(#${texture}-${sections.indexOf(section)})`}
              opacity={chosen === null || chosen === section ? 1 : 0.15}
            />
          ))}
          {at ? (
            <rect
              x={at.column}
              y={at.row}
              width="1"
              height="1"
              fill="none"
              stroke="var(--text)"
              strokeWidth="0.25"
            />
          ) : null}
        </svg>
      </div>
      <p data-unsaved className="mt-2 min-h-10 text-dense text-muted" aria-live="polite">
        {at ? <TileWords tile={at} nameOf={nameOf} /> : t("pointAt")}
      </p>
      <ul data-saved className="mt-2 hidden flex-wrap gap-x-4 gap-y-1 text-dense">
        {sections.map((section) => (
          <li key={section} className="flex items-center gap-1.5">
            <SectionSwatch look={hues.get(section)} />
            {nameOf(section)}
          </li>
        ))}
      </ul>
    </Picture>
  );
}

/** The section that has most cells. */
function largestOf(points: readonly { readonly share: Tile["shares"][number] }[]): string {
  const cells = new Map<string, number>();
  for (const { share } of points)
    cells.set(share.section, (cells.get(share.section) ?? 0) + share.cells);
  return [...cells].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

function TileWords({ tile, nameOf }: { tile: Tile; nameOf: (section: string) => string }) {
  const t = useTranslations("builds.report");
  const parts = tile.shares.map(({ section, kind, cells }) =>
    t(`tiles.${kind}`, { name: nameOf(section), count: cells, shown: formatCount(cells) }),
  );
  return t("tile", { column: tile.column, row: tile.row, parts: parts.join("; ") });
}
