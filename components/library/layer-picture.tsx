"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { formatCount, formatShape, Picture } from "@/components/ui";
import type { LayerGraph, ModelDetail } from "@/lib/common/contract";
import { layerColumns, layersFinding, type ShownLayer } from "./layer-columns";
import { type Box, boxSize, type LayerLayout, layOutLayers, neighbourOf } from "./layer-layout";

interface PictureProps {
  readonly graph: LayerGraph;
  readonly layers: readonly ShownLayer[];
  readonly inputs: NonNullable<ModelDetail["inputs"]>;
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5] as const;

/** The layers of a model from its inputs down, walked with arrow keys; beside it what is known of the layer that is chosen. */
export function LayerPicture({ graph, layers, inputs }: PictureProps) {
  const t = useTranslations("library.graph");
  const layout = useMemo(() => layOutLayers(graph, inputs.length), [graph, inputs.length]);
  const [chosen, setChosen] = useState(layout.boxes[0]?.index ?? 0);
  const [zoom, setZoom] = useState(2);
  const scale = zooms[zoom] ?? 1;
  const find = (text: string) => {
    const wanted = text.trim().toLowerCase();
    const found = layers.findIndex(({ name, operator }) =>
      `${name} ${operator}`.toLowerCase().includes(wanted),
    );
    if (wanted !== "" && found >= 0 && found < graph.layers.length) setChosen(found);
  };
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center gap-2 print:hidden">
        <input
          type="search"
          aria-label={t("find")}
          placeholder={t("find")}
          className="field h-8 w-56 text-dense"
          onChange={(event) => find(event.target.value)}
        />
        <button
          type="button"
          className="btn btn-dense"
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        >
          {t("smaller")}
        </button>
        <button
          type="button"
          className="btn btn-dense"
          disabled={zoom === zooms.length - 1}
          onClick={() => setZoom(zoom + 1)}
        >
          {t("larger")}
        </button>
      </div>
      <Picture
        title={layersFinding(layers, t)}
        summary={t("reading")}
        file="layers"
        keys="own"
        rows={layers}
        columns={layerColumns(t)}
      >
        <div className="grid gap-6 desk:grid-cols-[minmax(0,1fr)_272px]">
          <Drawing
            layout={layout}
            layers={layers}
            inputs={inputs}
            scale={scale}
            chosen={chosen}
            onChoose={setChosen}
          />
          <LayerFacts layer={layers[chosen]} input={chosen < 0 ? inputs[-1 - chosen] : undefined} />
        </div>
      </Picture>
      {graph.omitted > 0 ? (
        <p className="mt-2 text-dense text-muted">{t("omitted", { count: graph.omitted })}</p>
      ) : null}
    </div>
  );
}

interface DrawingProps extends Omit<PictureProps, "graph"> {
  readonly layout: LayerLayout;
  readonly scale: number;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

function Drawing({ layout, layers, inputs, scale, chosen, onChoose }: DrawingProps) {
  const t = useTranslations("library.graph");
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const most = Math.max(1, ...layers.map(({ parameters }) => parameters));
  useEffect(() => {
    const box = layout.boxes.find(({ index }) => index === chosen);
    const { current } = frame;
    if (!box || !current) return;
    const middle = (box.y + boxSize.height / 2) * scale - current.clientHeight / 2;
    const beside = (box.x + boxSize.width / 2) * scale - current.clientWidth / 2;
    current.scrollTo({ top: Math.max(0, middle), left: Math.max(0, beside) });
  }, [chosen, layout, scale]);
  const walk = (event: KeyboardEvent) => {
    const next = neighbourOf(layout, chosen, event.key);
    if (next === chosen && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    onChoose(next);
  };
  return (
    <div
      ref={frame}
      role="listbox"
      tabIndex={0}
      aria-label={t("label")}
      aria-activedescendant={`${id}-${chosen}`}
      onKeyDown={walk}
      data-whole=""
      className="well max-h-[560px] overflow-auto"
    >
      <svg
        role="presentation"
        width={layout.width * scale}
        height={layout.height * scale}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        className="mx-auto block"
      >
        {layout.edges.map(({ from, to, path }) => (
          <path
            key={`${from} ${to}`}
            d={path}
            fill="none"
            stroke={from === chosen || to === chosen ? "var(--accent)" : "var(--line-strong)"}
            strokeWidth={from === chosen || to === chosen ? 2 : 1.2}
          />
        ))}
        {layout.boxes.map((box) => (
          <LayerBox
            key={box.index}
            id={`${id}-${box.index}`}
            box={box}
            {...facesOf(box, layers, inputs)}
            share={box.index < 0 ? 0 : (layers[box.index]?.parameters ?? 0) / most}
            isChosen={box.index === chosen}
            onChoose={() => onChoose(box.index)}
          />
        ))}
      </svg>
    </div>
  );
}

interface Faces {
  readonly title: string;
  readonly operator: string;
  readonly shape: string;
}

function facesOf(
  { index }: Box,
  layers: readonly ShownLayer[],
  inputs: PictureProps["inputs"],
): Faces {
  const input = inputs[-1 - index];
  if (input) {
    const { name, datatype, shape } = input;
    return { title: name, operator: datatype, shape: formatShape(shape) };
  }
  const layer = layers[index];
  const bits = layer?.bits === undefined ? "" : ` · ${layer.bits} b`;
  return {
    title: layer?.name ?? "",
    operator: `${layer?.operator ?? ""}${bits}`,
    shape: formatShape(layer?.shape ?? []),
  };
}

const mostLetters = 21;
const short = (text: string) =>
  text.length > mostLetters ? `${text.slice(0, 9)}…${text.slice(-(mostLetters - 10))}` : text;

function LayerBox({
  id,
  box,
  title,
  operator,
  shape,
  share,
  isChosen,
  onChoose,
}: Faces & {
  readonly id: string;
  readonly box: Box;
  /** Of the parameters of the layer with most. */
  readonly share: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { width, height } = boxSize;
  return (
    <g
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-label={`${operator}, ${title}, ${shape}`}
      transform={`translate(${box.x} ${box.y})`}
      onClick={onChoose}
      className="cursor-pointer"
    >
      <rect
        width={width}
        height={height}
        rx="6"
        fill={box.index < 0 ? "var(--bg)" : "var(--surface)"}
        stroke={isChosen ? "var(--accent)" : "var(--line-strong)"}
        strokeWidth={isChosen ? 2.5 : 1}
        strokeDasharray={box.index < 0 && !isChosen ? "4 3" : undefined}
      />
      <rect y={height - 4} width={width * share} height="4" rx="2" fill="var(--copper)" />
      <text x="10" y="18" className="fill-text text-[12px] font-strong">
        {short(operator)}
      </text>
      <text x={width - 10} y="18" textAnchor="end" className="fill-muted text-[11px]">
        {shape.length > 14 ? `${shape.slice(0, 13)}…` : shape}
      </text>
      <text x="10" y="34" className="fill-muted font-mono text-[10px]">
        {short(title)}
      </text>
    </g>
  );
}

function LayerFacts({
  layer,
  input,
}: {
  layer: ShownLayer | undefined;
  input: PictureProps["inputs"][number] | undefined;
}) {
  const t = useTranslations("library.graph");
  const name = input?.name ?? layer?.name ?? "";
  const facts: readonly (readonly [string, string])[] = [
    [t("type"), input ? t("input") : (layer?.operator ?? "")],
    ...(layer && !input ? [[t("in"), layer.inShapes.map(formatShape).join(", ")] as const] : []),
    [t("out"), formatShape(input?.shape ?? layer?.shape ?? [])],
    ...(layer && !input ? [[t("parameters"), formatCount(layer.parameters)] as const] : []),
    ...(input?.datatype || layer?.datatype
      ? [[t("datatype"), input?.datatype ?? layer?.datatype ?? ""] as const]
      : []),
    ...(layer?.bits === undefined || input ? [] : [[t("bits"), String(layer.bits)] as const]),
  ];
  return (
    <div role="status">
      <h3 className="break-all">
        <code>{name}</code>
      </h3>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-dense">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
