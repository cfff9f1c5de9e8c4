import { useId } from "react";
import type { SectionLook } from "./section-hues";

/** Lines in a square of 1 by 1, by the number of a texture: plain, slanted both ways, lying, upright, both, crossed, dotted. */
const lines = [
  "",
  "M-.2 1.2L1.2 -.2",
  "M-.2 -.2L1.2 1.2",
  "M0 .5h1",
  "M.5 0v1",
  "M0 .5h1M.5 0v1",
  "M-.2 1.2L1.2 -.2M-.2 -.2L1.2 1.2",
  "M.35 .5h.3",
] as const;

const plain: SectionLook = { colour: "var(--line-strong)", texture: 0 };

/** The fill of a section on a drawing, `size` units wide before it repeats. */
export function SectionTexture({
  id,
  look: { colour, texture } = plain,
  size,
}: {
  id: string;
  look: SectionLook | undefined;
  size: number;
}) {
  return (
    <pattern
      id={id}
      width="1"
      height="1"
      patternUnits="userSpaceOnUse"
      patternTransform={`scale(${size})`}
    >
      <rect width="1" height="1" fill={colour} />
      <path
        d={lines[texture] ?? ""}
        fill="none"
        stroke="var(--bg)"
        strokeOpacity="0.7"
        strokeWidth={texture === 7 ? 0.3 : 0.18}
      />
    </pattern>
  );
}

/** The look of a section beside its name. */
export function SectionSwatch({ look }: { look: SectionLook | undefined }) {
  const id = useId();
  return (
    <svg aria-hidden="true" width="12" height="12" className="inline-block flex-none">
      <defs>
        <SectionTexture id={id} look={look} size={6} />
      </defs>
      <rect width="12" height="12" rx="2" fill={`url(#${id})`} />
    </svg>
  );
}
