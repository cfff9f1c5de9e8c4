import type { SectionGroup } from "@/lib/common/contract";

const coreHues = 8;
const shellHues = 5;

/** A colour for each section, in order: hues for the core, greys for the shell, one for what is around both. */
export function sectionHues(
  sections: readonly { readonly id: string; readonly group: SectionGroup }[],
): ReadonlyMap<string, string> {
  const counts = { core: 0, shell: 0, board: 0 };
  return new Map(
    sections.map(({ id, group }) => {
      const number = counts[group]++;
      if (group === "core") return [id, `var(--hue-${number % coreHues})`];
      if (group === "shell") return [id, `var(--hue-shell-${number % shellHues})`];
      return [id, "var(--hue-board)"];
    }),
  );
}
