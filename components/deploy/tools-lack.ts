import type { useTranslations } from "next-intl";
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

/** What is lacking as values of `deploy.tools.needs`: `make-core, make-it and write-it`. */
export function lackValues(
  { tools, workers, of, option }: LackingTools,
  t: ReturnType<typeof useTranslations<"deploy.tools">>,
) {
  const names = tools.map(({ command }) => command);
  const last = names.at(-1) ?? "";
  return {
    tools: names.length > 1 ? t("and", { some: names.slice(0, -1).join(", "), last }) : last,
    when: option ? `${option.name} ${option.value}` : "none",
    all: workers === of ? "yes" : "no",
    workers,
    of,
    ways: waysToMend({ tools }).join("; "),
  };
}

/** The lines that bring what is lacking, each once. */
export function waysToMend({ tools }: Pick<LackingTools, "tools">): readonly string[] {
  return [...new Set(tools.map(({ hint }) => hint))];
}
