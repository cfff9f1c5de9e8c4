import type { SectionRule } from "@/compiler";
import type { SectionUse } from "@/lib/common/contract";
import type { PlanSection } from "../engine";

/** A part of a design by which reports tell cells apart. */
export type Section = Pick<SectionUse, "id" | "name" | "group">;

const withinShell = "shell.";
const withinCore = "shell.core.";

const shellRules: readonly SectionRule[] = [
  { id: "line", name: "Serial line", cells: "^(receiver|sender)\\." },
  { id: "frames", name: "Frames and CRC", cells: "^(frames|encoder|crc)" },
  { id: "identity", name: "Identity", cells: "^identity" },
  { id: "requests", name: "Memory of requests", cells: "^memory\\." },
  { id: "shell", name: "Commands and answers", cells: "" },
];

/** What lies outside of the shell: the clock's source, the reset, pins and lights. */
const boardSection: Section = { id: "board", name: "Clock, reset and pins", group: "board" };

/** How the sections of a whole design are told apart, by what the compiler says of its core. */
export function sectionsOf(core: readonly SectionRule[] = []): PlanSection[] {
  const rest = { id: "core", name: core.length > 0 ? "Control of the core" : "Core", cells: "" };
  return [
    ...[...core, rest].map((rule) => ({
      ...rule,
      id: rule === rest ? rest.id : `core-${rule.id}`,
      group: "core" as const,
      within: withinCore,
    })),
    ...shellRules.map((rule) => ({ ...rule, group: "shell" as const, within: withinShell })),
    { ...boardSection, within: "", cells: "" },
  ];
}

/** Names that the placer made up, which say nothing of where a cell belongs. */
const madeUp = /^\$(nextpnr|PACKER)_/;
/** Buffers that the placer put on a signal, in front of its name. */
const buffered = /^\$(gbuf|glbnet)[_$]/;

/** A function from a cell's name to its section; null for names that say nothing. */
export function sectionFinder(rules: readonly PlanSection[]): (name: string) => Section | null {
  const sections = new Map<string, Section>();
  const compiled = rules.map(({ id, name, group, cells, ...rule }) => {
    const section = sections.get(id) ?? { id, name, group };
    sections.set(id, section);
    return { ...rule, section, cells: new RegExp(cells) };
  });
  return (name) => {
    if (madeUp.test(name)) return null;
    const plain = name.replace(buffered, "");
    const found = compiled.find(({ within, cells, upTo }) => {
      if (!plain.startsWith(within)) return false;
      const match = cells.exec(plain.slice(within.length));
      return match !== null && (upTo === undefined || Number(match[1]) <= upTo);
    });
    return found?.section ?? boardSection;
  };
}
