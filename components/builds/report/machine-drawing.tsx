import { useTranslations } from "next-intl";
import type { MachineDrawing as Machine } from "@/lib/common/contract";
import { functionOf } from "./function-of";
import { layoutOf, type MachineLayout } from "./machine-layout";

/** Titles of columns are cut where the next one begins; the table below has them whole. */
const longestTitle = 22;
/** Up to this many links each can be told from the next; more of them are drawn fainter, or they would be one area. */
const fewLinks = 300;
const opacity = { most: 0.7, least: 0.08 } as const;

/** The inputs on the left, then each layer's processors, with the links between them. The tables below say the same. */
export function MachineDrawing({ machine }: { machine: Machine }) {
  const t = useTranslations("builds.report");
  const layout = layoutOf(machine);
  const { width, height, columns } = layout;
  return (
    <section
      // Chromium scrolls by keys what has the focus.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
      tabIndex={0}
      aria-label={t("machinePicture")}
      data-whole=""
      className="overflow-x-auto rounded-control border border-line bg-surface py-3"
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        className="mx-auto block"
        aria-hidden="true"
      >
        {columns.map(({ title, x }, column) => (
          <text
            // biome-ignore lint/suspicious/noArrayIndexKey: layers keep their places, and may share a name
            key={column}
            x={x}
            y={12}
            textAnchor="middle"
            fontSize="12"
            fill="var(--muted)"
          >
            {title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title}
          </text>
        ))}
        <Links machine={machine} layout={layout} />
        <Inputs machine={machine} layout={layout} />
        <Processors machine={machine} layout={layout} />
      </svg>
    </section>
  );
}

interface PartProps {
  readonly machine: Machine;
  readonly layout: MachineLayout;
}

function Links({ machine: { layers }, layout: { columns, radius } }: PartProps) {
  const count = layers
    .flatMap(({ processors }) => processors)
    .reduce((sum, { inputs }) => sum + inputs, 0);
  return (
    <g stroke="var(--muted)" strokeWidth="1" strokeOpacity={opacityOf(count)}>
      {layers.flatMap(({ processors }, layer) => {
        const [from, to] = [columns[layer], columns[layer + 1]];
        if (!from || !to) return [];
        return processors.flatMap(({ number, from: sources = [] }, place) =>
          sources.map((source) => (
            <line
              key={`${number} ${source}`}
              x1={from.x + radius}
              y1={from.ys[source]}
              x2={to.x - radius}
              y2={to.ys[place]}
            />
          )),
        );
      })}
    </g>
  );
}

const opacityOf = (links: number): number =>
  Math.max(opacity.least, opacity.most * Math.min(1, (fewLinks / Math.max(1, links)) ** 0.9));

function Inputs({ machine: { inputs }, layout: { columns, radius, isLabelled } }: PartProps) {
  const t = useTranslations("builds.report");
  const [column] = columns;
  if (!column) return null;
  return Array.from({ length: inputs }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an input is its place
    <g key={place}>
      <title>{t("input", { place })}</title>
      <rect
        x={column.x - radius}
        y={(column.ys[place] ?? 0) - radius}
        width={2 * radius}
        height={2 * radius}
        fill="var(--surface)"
        stroke="var(--text)"
      />
      {isLabelled ? <Label x={column.x} y={column.ys[place] ?? 0} text={`i${place}`} /> : null}
    </g>
  ));
}

function Processors({ machine: { layers }, layout }: PartProps) {
  const t = useTranslations("builds.report");
  const { columns, radius, isLabelled } = layout;
  return layers.flatMap((each, layer) =>
    each.processors.map(({ number, inputs, instructions }, place) => {
      const [x, y] = [columns[layer + 1]?.x ?? 0, columns[layer + 1]?.ys[place] ?? 0];
      return (
        <g key={number}>
          <title>
            {t(each.relu || each.softmaxTerms !== undefined ? "processorWith" : "processorPlain", {
              number,
              name: each.name,
              inputs,
              instructions,
              function: functionOf(each, t) ?? "",
            })}
          </title>
          <circle
            cx={x}
            cy={y}
            r={radius}
            fill={isLabelled ? "var(--surface)" : "var(--copper)"}
            stroke="var(--copper)"
            strokeWidth="2"
          />
          {isLabelled ? <Label x={x} y={y} text={`p${number}`} /> : null}
        </g>
      );
    }),
  );
}

function Label({ x, y, text }: { x: number; y: number; text: string }) {
  return (
    <text x={x} y={y + 3.5} textAnchor="middle" fontSize="10" fill="var(--text)">
      {text}
    </text>
  );
}
