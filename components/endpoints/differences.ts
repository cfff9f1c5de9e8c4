import type { useTranslations } from "next-intl";
import type { NewRevision, Serving } from "@/lib/common/contract";
import { keysOf } from "@/lib/common/records";

/** One setting in which two requests differ, in words; what a request leaves out is “as it is”. */
export interface Difference {
  /** `Engine`, `weightBits`: what people call it on the form. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

type Translate = ReturnType<typeof useTranslations<"endpoints">>;

/** What of a revision's request differs from another's, in the order of the form. */
export function differencesOf(
  before: NewRevision,
  after: NewRevision,
  t: Translate,
): readonly Difference[] {
  const [old, now] = [settingsOf(before, t), settingsOf(after, t)];
  const unset = t("differences.notSet");
  return [...new Map([...old, ...now]).keys()].flatMap((name) => {
    const difference = { name, before: old.get(name) ?? unset, after: now.get(name) ?? unset };
    return difference.before === difference.after ? [] : [difference];
  });
}

function settingsOf(
  {
    engine,
    model,
    board,
    inputRange,
    calibration,
    features,
    options = {},
    serving = {},
  }: NewRevision,
  t: Translate,
): ReadonlyMap<string, string> {
  const given: readonly (readonly [string, unknown])[] = [
    [t("differences.model"), model.url],
    [t("differences.digest"), model.digest],
    [t("differences.card"), model.card],
    [t("differences.engine"), engine],
    [t("differences.board"), "id" in board ? board.id : t("differences.boardOf", { ...board })],
    [t("differences.inputRange"), inputRange && rangeWords(inputRange, t)],
    [t("differences.features"), features && featureWords(features)],
    [t("differences.rows"), calibration?.name],
    [t("differences.rowsUrl"), calibration?.url],
    ...Object.entries(options).map(([name, value]) => [optionName(name), value] as const),
    ...keysOf(serving).map((name) => [servingName(name, t), serving[name]] as const),
  ];
  return new Map(
    given.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : textOf(value, t)]],
    ),
  );
}

/** What a setting of serving is called. */
export const servingName = (name: keyof Serving, t: Translate): string =>
  t(`differences.serving.${name}`);

/** An engine's own option, whose camelCase is read as words: `weightBits` → `Weight bits`. */
const optionName = (name: string) => {
  const words = name.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const rangeWords = ({ min, max }: NonNullable<NewRevision["inputRange"]>, t: Translate) =>
  t("differences.range", { min: textOf(min, t), max: textOf(max, t) });

/** `sepal length (cm, 4 to 8)`, one after another; of those of which nothing is said, their place. */
const featureWords = (features: NonNullable<NewRevision["features"]>): string =>
  features
    .map(({ name, unit, min, max }, at) => {
      const range = min === undefined && max === undefined ? "" : `${min ?? ""} … ${max ?? ""}`;
      const more = [unit, range].filter(Boolean).join(", ");
      return `${name ?? at + 1}${more === "" ? "" : ` (${more})`}`;
    })
    .join("; ");

/** Long lists are told by their beginning, which need not tell them apart: their length and end do. */
function textOf(value: unknown, t: Translate): string {
  const text = JSON.stringify(value);
  return text.length <= 80
    ? text
    : t("differences.long", {
        start: text.slice(0, 50),
        end: text.slice(-20),
        count: text.length,
      });
}
