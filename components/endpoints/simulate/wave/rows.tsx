import type { Segment } from "./segments";

/** Height of one signal in the wave, in pixels. */
export const rowPx = 26;
const [top, bottom] = [5, 21];
const slantPx = 3;
const digitPx = 7.6;

/** One signal of one bit: high, low, or a block where it changes faster than pixels. */
export function BitRow({ segments, y }: { segments: readonly Segment[]; y: number }) {
  let path = "";
  let level: number | null = null;
  for (const { x, endX, value } of segments) {
    if (value === null) {
      level = null;
      continue;
    }
    const at = value === 0 ? bottom : top;
    path += level === null ? `M${round(x)} ${at}` : `L${round(x)} ${level}V${at}`;
    path += `H${round(endX)}`;
    level = at;
  }
  return (
    <g transform={`translate(0 ${y})`}>
      <Blocks segments={segments} />
      <path d={path} className="fill-none stroke-copper" strokeWidth="1.5" />
    </g>
  );
}

/** One signal of several bits: a lozenge for each value, with the value in it where there is room. */
export function BusRow({
  segments,
  y,
  textOf,
}: {
  segments: readonly Segment[];
  y: number;
  textOf: (value: number) => string;
}) {
  const middle = (top + bottom) / 2;
  const known = segments.filter((each) => each.value !== null);
  const path = known
    .map(({ x, endX }) => {
      const slant = Math.min(slantPx, (endX - x) / 2);
      const [a, b] = [round(x + slant), round(endX - slant)];
      return `M${round(x)} ${middle}L${a} ${top}H${b}L${round(endX)} ${middle}L${b} ${bottom}H${a}Z`;
    })
    .join("");
  return (
    <g transform={`translate(0 ${y})`}>
      <Blocks segments={segments} />
      <path d={path} className="fill-none stroke-copper" strokeWidth="1" />
      {known.map(({ x, endX, value }) => {
        const text = textOf(value ?? 0);
        if (text.length * digitPx + 2 * slantPx > endX - x) return null;
        return (
          <text
            key={x}
            x={round((x + endX) / 2)}
            y={middle + 4}
            textAnchor="middle"
            className="fill-text font-mono text-label"
          >
            {text}
          </text>
        );
      })}
    </g>
  );
}

function Blocks({ segments }: { segments: readonly Segment[] }) {
  const blocks = segments
    .filter(({ value }) => value === null)
    .map(({ x, endX }) => `M${round(x)} ${top}H${round(endX)}V${bottom}H${round(x)}Z`)
    .join("");
  return blocks === "" ? null : <path d={blocks} className="fill-copper opacity-45" />;
}

/** The clock: square where cycles are wide enough, else a block. */
export function clockSegments(
  from: number,
  cyclesPerPixel: number,
  endX: number,
): readonly Segment[] {
  if (1 / cyclesPerPixel < 6) return [{ x: 0, endX, value: null }];
  const segments: Segment[] = [];
  for (let half = Math.floor(from * 2); ; half++) {
    const x = Math.max(0, (half / 2 - from) / cyclesPerPixel);
    if (x >= endX) return segments;
    const end = Math.min(endX, ((half + 1) / 2 - from) / cyclesPerPixel);
    segments.push({ x, endX: end, value: half % 2 === 0 ? 1 : 0 });
  }
}

const round = (x: number) => Math.round(x * 10) / 10;
