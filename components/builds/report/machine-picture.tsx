import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { formatCount, Picture } from "@/components/ui";
import type { MachineDrawing as Machine } from "@/lib/common/contract";
import { functionOf } from "./function-of";
import { MachineDrawing } from "./machine-drawing";

type Layer = Machine["layers"][number];
type Texts = ReturnType<typeof useTranslations<"builds.report">>;

/** The processors of a machine, one for each neuron, and the links between them; the same as tables below. */
export function MachinePicture({ machine }: { machine: Machine }) {
  const t = useTranslations("builds.report");
  const { layers, type } = machine;
  const processors = layers.reduce((sum, layer) => sum + layer.processors.length, 0);
  const drawn = layers.every((layer) => layer.processors.every(({ from }) => from !== undefined));
  const words = t(drawn ? "machineNote" : "machineUndrawn", {
    count: formatCount(processors),
    type,
  });
  const rows = layers.flatMap((layer, at) =>
    layer.processors.map((processor) => ({
      ...processor,
      layer: layer.name,
      before: layers[at - 1],
    })),
  );
  return (
    <Picture
      title={t("machineFinding", {
        count: processors,
        processors: formatCount(processors),
        layers: layers.length,
        links: formatCount(rows.reduce((sum, { inputs }) => sum + inputs, 0)),
      })}
      summary={words}
      file="machine"
      keys="own"
      rows={rows}
      columns={[
        {
          id: "processor",
          label: t("processor"),
          value: ({ number }) => number,
          show: ({ number }) => `p${number}`,
        },
        { id: "layer", label: t("layer"), value: ({ layer }) => layer },
        {
          id: "inputs",
          label: t("linksIn"),
          value: ({ inputs }) => inputs,
          show: ({ inputs }) => formatCount(inputs),
        },
        {
          id: "reads",
          label: t("reads"),
          value: ({ from }) => from?.join(" ") ?? null,
          show: ({ from, inputs, before }) =>
            from ? sourcesOf(from, before, t) : t("values", { count: formatCount(inputs) }),
        },
        {
          id: "instructions",
          label: t("instructions"),
          value: ({ instructions }) => instructions,
          show: ({ instructions }) => formatCount(instructions),
        },
      ]}
    >
      {drawn ? <MachineDrawing machine={machine} /> : null}
      <LayerTable machine={machine} />
    </Picture>
  );
}

function LayerTable({ machine: { inputs, layers } }: { machine: Machine }) {
  const t = useTranslations("builds.report");
  return (
    <Scrolling label={t("machineLayers")}>
      <table className="table text-dense">
        <thead>
          <tr>
            <th>{t("layer")}</th>
            <th className="num">{t("processors")}</th>
            <th>{t("numbered")}</th>
            <th className="num">{t("linksIn")}</th>
            <th className="num">{t("instructions")}</th>
            <th>{t("function")}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{t("inputs")}</td>
            <td className="num">–</td>
            <td>{inputs === 1 ? "i0" : t("run", { from: "i0", to: `i${inputs - 1}` })}</td>
            <td className="num">–</td>
            <td className="num">–</td>
            <td>–</td>
          </tr>
          {layers.map((layer, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: layers keep their places, and may share a name
            <tr key={at}>
              <td>{layer.name}</td>
              <td className="num">{formatCount(layer.processors.length)}</td>
              <td>
                {runsOf(
                  layer.processors.map(({ number }) => number),
                  "p",
                  t,
                )}
              </td>
              <td className="num">{formatCount(totalOf(layer, "inputs"))}</td>
              <td className="num">{formatCount(totalOf(layer, "instructions"))}</td>
              <td>{functionOf(layer, t) ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

/** A table that is wider than a phone: keys reach it, since it scrolls. */
function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
      tabIndex={0}
      className="mt-3 overflow-auto"
    >
      {children}
    </section>
  );
}

/** Places in the layer before, as its processors are numbered; of the first layer they are inputs. */
function sourcesOf(from: readonly number[], before: Layer | undefined, t: Texts): string {
  if (!before) return runsOf(from, "i", t);
  return runsOf(
    from.flatMap((place) => before.processors[place]?.number ?? []),
    "p",
    t,
  );
}

function totalOf({ processors }: Layer, what: "inputs" | "instructions"): number {
  return processors.reduce((sum, processor) => sum + processor[what], 0);
}

/** `p0, p2 to p4`. */
function runsOf(given: readonly number[], letter: string, t: Texts): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of given.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs
    .map(({ from, to }) =>
      from === to
        ? `${letter}${from}`
        : t("run", { from: `${letter}${from}`, to: `${letter}${to}` }),
    )
    .join(", ");
}
