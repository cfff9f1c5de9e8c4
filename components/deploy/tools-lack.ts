import type { EngineSummary, LackingTools } from "@/lib/common/contract";

/**
 * What build workers lack for a build as far as it is chosen. While the model is unread or no board is chosen, only what is
 * lacking whatever comes.
 */
export function toolsLack(
  { formats, boards, lacking }: Pick<EngineSummary, "formats" | "boards" | "lacking">,
  {
    format,
    board,
    options,
  }: {
    readonly format: string | null;
    readonly board: string | null;
    /** As the form has them: what was left alone is absent. */
    readonly options: Readonly<Record<string, unknown>>;
  },
): LackingTools | null {
  const covers = (all: readonly string[], own: readonly string[], chosen: string | null) =>
    chosen === null ? all.every((each) => own.includes(each)) : own.includes(chosen);
  const fitting = lacking.filter(
    (lack) => covers(formats, lack.formats, format) && covers(boards, lack.boards, board),
  );
  // What a choice needs is more than what is needed without it.
  const ofChoice = fitting.find(({ option }) => option && options[option.name] === option.value);
  return ofChoice ?? fitting.find(({ option }) => !option) ?? null;
}

/** `needs basm and bondmachine, which no build worker has`. */
export function lackInWords({ tools, workers, of, option }: LackingTools): string {
  const names = tools.map(({ command }) => command);
  const all = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  const who =
    workers === of ? "which no build worker has" : `which ${workers} of ${of} build workers lack`;
  const when = option ? `with ${option.name} ${option.value} ` : "";
  return `${when}needs ${all}, ${who}`;
}

/** The lines that bring what is lacking, each once. */
export function waysToMend({ tools }: Pick<LackingTools, "tools">): readonly string[] {
  return [...new Set(tools.map(({ hint }) => hint))];
}
