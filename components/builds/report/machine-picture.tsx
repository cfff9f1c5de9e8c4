import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { formatCount } from "@/components/ui";
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
  return (
    <figure>
      {drawn ? <MachineDrawing machine={machine} /> : null}
      <figcaption className="mt-2 max-w-[68ch] text-dense text-muted">
        {t(drawn ? "machineNote" : "machineUndrawn", { count: formatCount(processors), type })}
      </figcaption>
      <LayerTable machine={machine} />
      <details className="mt-3 text-dense">
        <summary className="cursor-pointer text-accent">{t("everyProcessor")}</summary>
        <ProcessorTable machine={machine} />
      </details>
    </figure>
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

function ProcessorTable({ machine: { layers } }: { machine: Machine }) {
  const t = useTranslations("builds.report");
  return (
    <Scrolling label={t("machineProcessors")} isTall>
      <table className="table text-dense">
        <thead>
          <tr>
            <th>{t("processor")}</th>
            <th>{t("layer")}</th>
            <th>{t("reads")}</th>
            <th className="num">{t("instructions")}</th>
          </tr>
        </thead>
        <tbody>
          {layers.flatMap((layer, at) =>
            layer.processors.map(({ number, inputs, instructions, from }) => (
              <tr key={number}>
                <td>p{number}</td>
                <td>{layer.name}</td>
                <td>
                  {from
                    ? sourcesOf(from, layers[at - 1], t)
                    : t("values", { count: formatCount(inputs) })}
                </td>
                <td className="num">{formatCount(instructions)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </Scrolling>
  );
}

/** A table that is wider than a phone, or longer than a screen: keys reach it, since it scrolls. */
function Scrolling({
  label,
  isTall = false,
  children,
}: {
  label: string;
  isTall?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
      tabIndex={0}
      className={`mt-3 overflow-auto ${isTall ? "max-h-96" : ""}`}
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
