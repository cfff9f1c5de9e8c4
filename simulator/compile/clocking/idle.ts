import type { Design, Register } from "../design";
import { type Draft, type Member, workOf, worthAGate } from "./draft";
import type { Flags } from "./flags";
import type { SourceFinder } from "./sources";

/** Registers of less work that wait for different drafts share a gate: on all designs tried, more gates gained nothing. */
const worthAGateOfItsOwn = 25;

interface Group {
  readonly members: Member[];
  /** Drafts whose registers they are computed from. */
  readonly reads: Set<Draft>;
}

/**
 * Drafts of the registers that are computed from registers of drafts alone: they keep their values while none of those was
 * clocked at the edge before. The stages of a pipeline come one after the other.
 *
 * @param enabled The drafts to begin with.
 */
export function addIdle(
  registers: readonly Register[],
  {
    design,
    enabled,
    flags,
    sourcesOf,
  }: {
    readonly design: Design;
    readonly enabled: readonly Draft[];
    readonly flags: Flags;
    readonly sourcesOf: SourceFinder;
  },
): Draft[] {
  const { circuit } = design;
  const waiting = new Waiting(candidates(registers, design, sourcesOf));
  const draftOf = new Map<number, Draft>();
  const added: Draft[] = [];
  for (let level = enabled; level.length > 0; ) {
    for (const draft of level) {
      for (const { register } of draft.members) draftOf.set(register.slot, draft);
    }
    const ready = waiting.without(level);
    level = groupByReads(ready, draftOf).map(({ members, reads }) => ({
      gate: [...reads].map((draft) => flags.of(draft)).reduce((a, b) => circuit.or(a, b)),
      members,
    }));
    added.push(...level);
  }
  return added;
}

/** Registers whose next value depends on registers alone. */
function candidates(
  registers: readonly Register[],
  { inputs }: Design,
  sourcesOf: SourceFinder,
): Member[] {
  return registers.flatMap((register): Member[] => {
    const sources = sourcesOf(register.next);
    if (!sources || sources.readsWritten || sources.slots.size === 0) return [];
    if ([...sources.slots].some((slot) => slot < inputs.length)) return [];
    return [{ register, value: register.next, sources }];
  });
}

/** Registers, each until all that it is computed from is in a draft. */
class Waiting {
  private readonly readers = new Map<number, Member[]>();
  private readonly missing = new Map<Member, number>();

  constructor(members: readonly Member[]) {
    for (const member of members) {
      const { slots } = member.sources;
      this.missing.set(member, slots.size);
      for (const slot of slots) {
        const readers = this.readers.get(slot) ?? [];
        this.readers.set(slot, readers);
        readers.push(member);
      }
    }
  }

  /** Takes note of new drafts, and gives the registers that wait for nothing more. */
  without(drafts: readonly Draft[]): Member[] {
    const changed = drafts.flatMap(({ members }) => members.map(({ register }) => register.slot));
    return changed.flatMap((slot) =>
      (this.readers.get(slot) ?? []).filter((reader) => {
        const left = (this.missing.get(reader) ?? 0) - 1;
        this.missing.set(reader, left);
        return left === 0;
      }),
    );
  }
}

function groupByReads(members: readonly Member[], draftOf: ReadonlyMap<number, Draft>): Group[] {
  const places = new Map([...new Set(draftOf.values())].map((draft, index) => [draft, index]));
  const groups = new Map<string, Group>();
  for (const member of members) {
    const reads = new Set([...member.sources.slots].flatMap((slot) => draftOf.get(slot) ?? []));
    const key = [...reads]
      .map((draft) => places.get(draft) ?? 0)
      .sort((a, b) => a - b)
      .join();
    const group = groups.get(key) ?? { members: [], reads };
    groups.set(key, group);
    group.members.push(member);
  }
  const isLarge = (group: Group): boolean => workOf(group.members) >= worthAGateOfItsOwn;
  const small = [...groups.values()].filter((group) => !isLarge(group));
  const rest: Group = {
    members: small.flatMap((group) => group.members),
    reads: new Set(small.flatMap((group) => [...group.reads])),
  };
  const large = [...groups.values()].filter(isLarge);
  return workOf(rest.members) >= worthAGate ? [...large, rest] : large;
}
