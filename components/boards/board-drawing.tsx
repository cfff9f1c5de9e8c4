import { useTranslations } from "next-intl";
import { useId } from "react";
import type { Drawing } from "@/boards";

const scale = 1.9;
const pitch = 6;

type Led = "ok" | "busy" | "bad" | "off" | "shown";

const ledFill = {
  ok: "var(--ok)",
  busy: "var(--accent)",
  bad: "var(--bad)",
  off: "var(--surface)",
  shown: "var(--accent)",
} as const satisfies Record<Led, string>;

/**
 * A board drawn from its data: outline in proportion, connector, header rows, package with its pins, LEDs.
 * A simulated board has stripes and a dashed outline; the chip fills by the share of its cells in use.
 */
export function BoardDrawing({
  drawing,
  title,
  simulated = false,
  fill = 0,
  led = "off",
  height,
}: {
  drawing: Drawing;
  title: string;
  simulated?: boolean;
  /** Share of the cells in use, 0..1. */
  fill?: number;
  led?: Led;
  /** Height of the picture in px, if it must be the same for all; else boards keep their proportion to each other. */
  height?: number;
}) {
  const width = drawing.widthMm * scale;
  const tall = drawing.heightMm * scale;
  const t = useTranslations("boards.drawing");
  const isDie = drawing.package === "die";
  const chip = Math.min(
    Math.max(drawing.chipMm * scale * (drawing.package === "qfn" ? 1.7 : 1), 20),
    Math.min(width, tall) * 0.7,
  );
  const centre = { x: width * (isDie ? 0.5 : 0.52), y: tall * (isDie ? 0.5 : 0.52) };
  const usbRoom = 8;
  const stripes = useId();
  return (
    <svg
      viewBox={`${-usbRoom} ${-usbRoom} ${width + 2 * usbRoom} ${tall + 2 * usbRoom}`}
      width={height === undefined ? width + 2 * usbRoom : undefined}
      height={height ?? tall + 2 * usbRoom}
      role="img"
      aria-label={simulated ? t("simulated", { name: title }) : title}
      className="block max-w-full"
    >
      {simulated ? <Stripes id={stripes} /> : null}
      <rect
        x="1"
        y="1"
        width={width - 2}
        height={tall - 2}
        rx="5"
        fill="var(--wash-copper)"
        stroke="var(--copper)"
        strokeWidth="1.2"
        strokeDasharray={simulated ? "4 3" : undefined}
      />
      {simulated ? (
        <rect x="2" y="2" width={width - 4} height={tall - 4} rx="4" fill={`url(#${stripes})`} />
      ) : null}
      <Usb side={drawing.usb} width={width} height={tall} />
      {isDie
        ? null
        : [...new Set(drawing.headers)].map((side) => (
            <Header key={side} side={side} width={width} height={tall} usb={drawing.usb} />
          ))}
      <Chip {...centre} size={chip} drawing={drawing} board={{ width, height: tall }} />
      <Cells {...centre} size={chip} share={fill} />
      {Array.from({ length: Math.min(drawing.leds, 8) }, (_, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: LEDs have no other name than their place
          key={index}
          cx={18 + index * 7}
          cy={tall - (drawing.headers.includes("bottom") ? 18 : 9)}
          r={index === 0 && led === "shown" ? 5 : 2.2}
          fill={ledFill[index === 0 ? led : "off"]}
          stroke={index === 0 && led !== "off" ? ledFill[led] : "var(--copper)"}
        />
      ))}
    </svg>
  );
}

function Stripes({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={id}
        width="9"
        height="9"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="4.5" height="9" fill="var(--copper)" opacity="0.16" />
      </pattern>
    </defs>
  );
}

function Usb({ side, width, height }: { side: Drawing["usb"]; width: number; height: number }) {
  if (side === "none") return null;
  const long = 16;
  const deep = 15;
  const upright = side === "left" || side === "right";
  const x = side === "left" ? -4 : side === "right" ? width - deep + 4 : width / 2 - long / 2;
  const y = side === "top" ? -4 : side === "bottom" ? height - deep + 4 : height / 2 - long / 2;
  return (
    <rect
      x={x}
      y={y}
      width={upright ? deep : long}
      height={upright ? long : deep}
      rx="2"
      fill="var(--surface)"
      stroke="var(--copper)"
    />
  );
}

/** A row of plated holes along one side, kept clear of the corners and of the connector. */
function Header({
  side,
  width,
  height,
  usb,
}: {
  side: Drawing["headers"][number];
  width: number;
  height: number;
  usb: Drawing["usb"];
}) {
  const along = side === "top" || side === "bottom";
  const from = along ? 24 : 18;
  const length = along ? width : height;
  const count = Math.max(2, Math.floor((length - from - 12) / pitch));
  const holes = Array.from({ length: count }, (_, index) => from + index * pitch).filter(
    (place) => usb !== side || Math.abs(place - length / 2) > 12,
  );
  return holes.map((place) => (
    <circle
      key={place}
      cx={along ? place : side === "left" ? 7 : width - 7}
      cy={along ? (side === "top" ? 7 : height - 7) : place}
      r="1.5"
      fill="none"
      stroke="var(--copper)"
      strokeWidth="0.8"
    />
  ));
}

function Chip({
  x,
  y,
  size,
  drawing,
  board,
}: {
  x: number;
  y: number;
  size: number;
  drawing: Drawing;
  board: { width: number; height: number };
}) {
  const half = size / 2;
  const pins = Math.min(drawing.pinsPerSide, 24);
  const places = (length: number) =>
    Array.from({ length: pins }, (_, index) => (index - (pins - 1) / 2) * (length / pins));
  const { width, height } = board;
  return (
    <g stroke="var(--copper)">
      {drawing.package === "qfn" || drawing.package === "qfp" ? (
        <path
          strokeWidth="0.9"
          d={places(size - 4)
            .map(
              (t) =>
                `M${x + t} ${y - half}v-3M${x + t} ${y + half}v3M${x - half} ${y + t}h-3M${x + half} ${y + t}h3`,
            )
            .join("")}
        />
      ) : null}
      {drawing.package === "die" ? (
        <path
          d={`${places(width - 24)
            .map((t) => `M${width / 2 + t} 1v6M${width / 2 + t} ${height - 1}v-6`)
            .join("")}${places(height - 24)
            .map((t) => `M1 ${height / 2 + t}h6M${width - 1} ${height / 2 + t}h-6`)
            .join("")}`}
        />
      ) : null}
      <rect
        x={x - half}
        y={y - half}
        width={size}
        height={size}
        rx="2"
        fill="var(--surface)"
        strokeWidth="1.2"
      />
      {drawing.package === "bga" ? <Balls x={x} y={y} size={size} /> : null}
    </g>
  );
}

function Balls({ x, y, size }: { x: number; y: number; size: number }) {
  const count = 9;
  const at = (index: number) => -size / 2 + 3.5 + (index * (size - 7)) / (count - 1);
  return Array.from({ length: count * count }, (_, index) => (
    <circle
      // biome-ignore lint/suspicious/noArrayIndexKey: balls have no other name than their place
      key={index}
      cx={x + at(index % count)}
      cy={y + at(Math.floor(index / count))}
      r="0.7"
      fill="var(--copper)"
      stroke="none"
    />
  ));
}

/** Cells in use, denser in the middle as placers leave them; the same share always gives the same picture. */
function Cells({ x, y, size, share }: { x: number; y: number; size: number; share: number }) {
  if (share <= 0) return null;
  const count = 10;
  const step = (size - 4) / count;
  const wanted = Math.max(1, Math.round(Math.min(1, share) * count * count));
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const cells = Array.from({ length: count * count }, (_, index) => {
    const column = index % count;
    const row = Math.floor(index / count);
    return { column, row, rank: Math.hypot(column - 4.5, row - 4.5) / 9 + random() * 0.8 };
  });
  return cells
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, wanted)
    .map(({ column, row, rank }) => (
      <rect
        key={`${column} ${row}`}
        x={x - size / 2 + 2 + column * step}
        y={y - size / 2 + 2 + row * step}
        width={step - 0.6}
        height={step - 0.6}
        fill="var(--copper)"
        opacity={Math.max(0.45, 0.95 - rank / 3)}
      />
    ));
}
