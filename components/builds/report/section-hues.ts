import type { SectionGroup } from "@/lib/common/contract";

const coreHues = 8;
const shellHues = 5;
const textures = 8;

/** How a section looks: its colour, and a texture that tells it apart without. */
export interface SectionLook {
  readonly colour: string;
  /** 0 is plain. */
  readonly texture: number;
}

/** A look for each section, in order: hues for the core, greys for the shell, one for what is around both. */
export function sectionHues(
  sections: readonly { readonly id: string; readonly group: SectionGroup }[],
): ReadonlyMap<string, SectionLook> {
  const counts = { core: 0, shell: 0, board: 0 };
  return new Map(
    sections.map(({ id, group }) => {
      const number = counts[group]++;
      const texture = number % textures;
      if (group === "core") return [id, { colour: `var(--hue-${number % coreHues})`, texture }];
      if (group === "shell")
        return [id, { colour: `var(--hue-shell-${number % shellHues})`, texture }];
      return [id, { colour: "var(--hue-board)", texture }];
    }),
  );
}
