/** A place that the palette can jump to. */
export interface Target {
  readonly label: string;
  readonly kind: string;
  readonly href: string;
}

/** Targets that hold every word of the text, best first: names that start with it, then names that hold it, then kinds. */
export function matchTargets(targets: readonly Target[], text: string): readonly Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ label, kind }: Target): number => {
    const name = label.toLowerCase();
    const all = `${name} ${kind.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return -1;
    const [first] = words;
    if (first === undefined || name.startsWith(first)) return 2;
    return words.every((word) => name.includes(word)) ? 1 : 0;
  };
  return targets
    .map((target) => ({ target, rank: rank(target) }))
    .filter((found) => found.rank >= 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map((found) => found.target);
}
