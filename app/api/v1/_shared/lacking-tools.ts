import { type Engine, type ToolNeed, toolNeeds } from "@/engines";
import type { BuildWorker, LackingTools, MissingTool } from "@/lib/common/contract";

/**
 * Which of an engine's builds some build worker could not make, for want of tools: one entry for each way of lacking, with
 * the formats and boards that it is about.
 *
 * @param workers Those that are up; null: nobody knows.
 */
export function lackingTools(
  engine: Pick<Engine, "formats" | "supports" | "tools" | "optionsSchema">,
  workers: readonly BuildWorker[] | null,
): LackingTools[] {
  const telling = (workers ?? []).flatMap(({ missing }) => (missing === null ? [] : [missing]));
  const byLack = new Map<string, { need: LackingTools; boards: Map<string, string[]> }>();
  const needs = toolNeeds(engine);
  for (const need of needs) {
    const lack = lackOf(need, telling);
    if (lack === null) continue;
    const usual = needs.find(
      ({ format, board, option }) => !option && format === need.format && board === need.board,
    );
    // Of a choice whose further tools are there, nothing more is lacking than without it.
    if (need.option && usual && isSame(lack, lackOf(usual, telling))) continue;
    const option = need.option ? { option: need.option } : {};
    const key = JSON.stringify({ ...lack, ...option });
    const entry = byLack.get(key) ?? {
      need: { ...lack, ...option, formats: [], boards: [] },
      boards: new Map<string, string[]>(),
    };
    byLack.set(key, entry);
    entry.boards.set(need.format, [...(entry.boards.get(need.format) ?? []), need.board]);
  }
  return [...byLack.values()].flatMap(({ need, boards }) => groupFormats(need, boards));
}

/** What is lacking for one format and board; null: every worker that tells has all of it. */
function lackOf(
  { commands }: ToolNeed,
  telling: readonly (readonly MissingTool[])[],
): Pick<LackingTools, "tools" | "workers" | "of"> | null {
  const lacks = telling
    .map((missing) => missing.filter(({ command }) => commands.includes(command)))
    .filter((missing) => missing.length > 0);
  if (lacks.length === 0) return null;
  const tools = new Map(lacks.flat().map((tool) => [tool.command, tool]));
  return {
    tools: [...tools.values()].toSorted((a, b) => a.command.localeCompare(b.command)),
    workers: lacks.length,
    of: telling.length,
  };
}

const isSame = (lack: unknown, other: unknown) => JSON.stringify(lack) === JSON.stringify(other);

/** Formats of which the same boards lack the same are one entry. */
function groupFormats(
  need: LackingTools,
  boardsOf: ReadonlyMap<string, readonly string[]>,
): LackingTools[] {
  const groups = new Map<string, LackingTools>();
  for (const [format, boards] of boardsOf) {
    const key = boards.join(" ");
    const group = groups.get(key) ?? { ...need, formats: [], boards: [...boards] };
    groups.set(key, { ...group, formats: [...group.formats, format] });
  }
  return [...groups.values()];
}
