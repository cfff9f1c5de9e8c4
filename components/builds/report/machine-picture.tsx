import { formatCount } from "@/components/ui";
import type { MachineDrawing } from "@/lib/common/contract";

const width = 1000;
const rowHeight = 28;
const least = 120;
const margin = 60;
const radius = 8;

type Layer = MachineDrawing["layers"][number];

/** The processors of a machine, one for each neuron, and the links between them; the same as a table below. */
export function MachinePicture({ machine }: { machine: MachineDrawing }) {
  const { layers, inputs, type } = machine;
  const processors = layers.reduce((sum, layer) => sum + layer.processors.length, 0);
  const drawn = layers.every((layer) => layer.processors.every(({ from }) => from !== undefined));
  return (
    <figure>
      {drawn ? <Drawing machine={machine} /> : null}
      <figcaption className="mt-2 max-w-[68ch] text-dense text-muted">
        {formatCount(processors)} processors compute in {type}; each reads its inputs, in values
        over links of its own, in their order, and hands its result on.
        {drawn ? "" : " There are too many links to draw."}
      </figcaption>
      <table className="table mt-3 text-dense">
        <thead>
          <tr>
            <th>Layer</th>
            <th className="num">Processors</th>
            <th>Numbered</th>
            <th className="num">Links in</th>
            <th className="num">Instructions</th>
            <th>ReLU</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Inputs</td>
            <td className="num">–</td>
            <td>i0 to i{inputs - 1}</td>
            <td className="num">–</td>
            <td className="num">–</td>
            <td>–</td>
          </tr>
          {layers.map((layer, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: layers keep their places, and may share a name
            <tr key={at}>
              <td>{layer.name}</td>
              <td className="num">{formatCount(layer.processors.length)}</td>
              <td>{numbersOf(layer)}</td>
              <td className="num">{formatCount(totalOf(layer, "inputs"))}</td>
              <td className="num">{formatCount(totalOf(layer, "instructions"))}</td>
              <td>{layer.relu ? "yes" : "no"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function Drawing({ machine: { inputs, layers } }: { machine: MachineDrawing }) {
  const columns = [inputs, ...layers.map(({ processors }) => processors.length)];
  const height = Math.max(least, Math.max(...columns) * rowHeight);
  const x = (column: number) =>
    margin + (column * (width - 2 * margin)) / Math.max(1, columns.length - 1);
  const y = (column: number, place: number) => ((place + 0.5) * height) / (columns[column] ?? 1);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="block w-full" aria-hidden="true">
      <g stroke="var(--line-strong)" strokeWidth="1">
        {layers.flatMap(({ processors }, layer) =>
          processors.flatMap(({ number, from = [] }, place) =>
            from.map((source) => (
              <line
                key={`${number} ${source}`}
                x1={x(layer) + radius}
                y1={y(layer, source)}
                x2={x(layer + 1) - radius}
                y2={y(layer + 1, place)}
              />
            )),
          ),
        )}
      </g>
      {Array.from({ length: inputs }, (_, place) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: an input is its place
          key={place}
          x={x(0) - radius}
          y={y(0, place) - radius}
          width={2 * radius}
          height={2 * radius}
          fill="var(--info)"
        >
          <title>{`input i${place}`}</title>
        </rect>
      ))}
      {layers.flatMap(({ name, relu, processors }, layer) =>
        processors.map(({ number, inputs: links, instructions }, place) => (
          <circle
            key={number}
            cx={x(layer + 1)}
            cy={y(layer + 1, place)}
            r={radius}
            fill={layer === layers.length - 1 ? "var(--accent)" : "var(--copper)"}
          >
            <title>{`p${number}, ${name}: ${links} links in, ${instructions} instructions${relu ? ", ReLU" : ""}`}</title>
          </circle>
        )),
      )}
    </svg>
  );
}

function totalOf({ processors }: Layer, what: "inputs" | "instructions"): number {
  return processors.reduce((sum, processor) => sum + processor[what], 0);
}

/** `p0, p2 to p4`. */
function numbersOf({ processors }: Layer): string {
  const numbers = processors.map(({ number }) => number).sort((a, b) => a - b);
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs.map(({ from, to }) => (from === to ? `p${from}` : `p${from} to p${to}`)).join(", ");
}
