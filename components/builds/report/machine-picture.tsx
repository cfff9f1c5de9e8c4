import type { ReactNode } from "react";
import { formatCount } from "@/components/ui";
import type { MachineDrawing as Machine } from "@/lib/common/contract";
import { functionOf } from "./function-of";
import { MachineDrawing } from "./machine-drawing";

type Layer = Machine["layers"][number];

/** The processors of a machine, one for each neuron, and the links between them; the same as tables below. */
export function MachinePicture({ machine }: { machine: Machine }) {
  const { layers, type } = machine;
  const processors = layers.reduce((sum, layer) => sum + layer.processors.length, 0);
  const drawn = layers.every((layer) => layer.processors.every(({ from }) => from !== undefined));
  return (
    <figure>
      {drawn ? <MachineDrawing machine={machine} /> : null}
      <figcaption className="mt-2 max-w-[68ch] text-dense text-muted">
        {formatCount(processors)} processors compute in {type}. Each reads its inputs one after
        another, over links of its own, and hands its result on.
        {drawn ? "" : " There are too many links to draw."}
      </figcaption>
      <LayerTable machine={machine} />
      <details className="mt-3 text-dense">
        <summary className="cursor-pointer text-accent">Every processor</summary>
        <ProcessorTable machine={machine} />
      </details>
    </figure>
  );
}

function LayerTable({ machine: { inputs, layers } }: { machine: Machine }) {
  return (
    <Scrolling label="Layers of the machine">
      <table className="table text-dense">
        <thead>
          <tr>
            <th>Layer</th>
            <th className="num">Processors</th>
            <th>Numbered</th>
            <th className="num">Links in</th>
            <th className="num">Instructions</th>
            <th>Function</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Inputs</td>
            <td className="num">–</td>
            <td>{inputs === 1 ? "i0" : `i0 to i${inputs - 1}`}</td>
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
                )}
              </td>
              <td className="num">{formatCount(totalOf(layer, "inputs"))}</td>
              <td className="num">{formatCount(totalOf(layer, "instructions"))}</td>
              <td>{functionOf(layer) ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function ProcessorTable({ machine: { layers } }: { machine: Machine }) {
  return (
    <Scrolling label="Processors of the machine" isTall>
      <table className="table text-dense">
        <thead>
          <tr>
            <th>Processor</th>
            <th>Layer</th>
            <th>Reads</th>
            <th className="num">Instructions</th>
          </tr>
        </thead>
        <tbody>
          {layers.flatMap((layer, at) =>
            layer.processors.map(({ number, inputs, instructions, from }) => (
              <tr key={number}>
                <td>p{number}</td>
                <td>{layer.name}</td>
                <td>{from ? sourcesOf(from, layers[at - 1]) : `${formatCount(inputs)} values`}</td>
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
function sourcesOf(from: readonly number[], before: Layer | undefined): string {
  if (!before) return runsOf(from, "i");
  return runsOf(
    from.flatMap((place) => before.processors[place]?.number ?? []),
    "p",
  );
}

function totalOf({ processors }: Layer, what: "inputs" | "instructions"): number {
  return processors.reduce((sum, processor) => sum + processor[what], 0);
}

/** `p0, p2 to p4`. */
function runsOf(given: readonly number[], letter: string): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of given.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs
    .map(({ from, to }) =>
      from === to ? `${letter}${from}` : `${letter}${from} to ${letter}${to}`,
    )
    .join(", ");
}
