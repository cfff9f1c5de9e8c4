import { components } from "./components";
import type { Draft } from "./draft";

/**
 * Orders groups of registers so that those that read a register come before the one that changes it; apart, those that read
 * each other in a circle.
 */
export function readersFirst<Group extends Pick<Draft, "members">>(
  groups: readonly Group[],
): { ordered: Group[]; circular: Group[] } {
  const groupOf = new Map<number, number>();
  groups.forEach(({ members }, index) => {
    for (const { register } of members) groupOf.set(register.slot, index);
  });
  const reads = groups.map(({ members }, own) => {
    const read = members.flatMap(({ sources }) =>
      [...sources.slots].flatMap((slot) => groupOf.get(slot) ?? []),
    );
    return [...new Set(read)].filter((index) => index !== own);
  });
  const circles = components(reads)
    .reverse()
    .map((indexes) => indexes.flatMap((index) => groups[index] ?? []));
  return {
    ordered: circles.flatMap((circle) => (circle.length === 1 ? circle : [])),
    circular: circles.flatMap((circle) => (circle.length > 1 ? circle : [])),
  };
}
