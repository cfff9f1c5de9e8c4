import type { NewRevision } from "@/lib/common/contract";

/** One setting in which two requests differ, in words; what a request leaves out is “as it is”. */
export interface Difference {
  /** `Engine`, `weightBits`: what people call it on the form. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What of a revision's request differs from another's, in the order of the form. */
export function differencesOf(before: NewRevision, after: NewRevision): readonly Difference[] {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  return [...new Map([...old, ...now]).keys()].flatMap((name) => {
    const difference = { name, before: old.get(name) ?? unset, after: now.get(name) ?? unset };
    return difference.before === difference.after ? [] : [difference];
  });
}

const unset = "not set";

function settingsOf({
  engine,
  model,
  board,
  inputRange,
  calibration,
  options = {},
  serving = {},
}: NewRevision): ReadonlyMap<string, string> {
  const given: readonly (readonly [string, unknown])[] = [
    ["Model", model.url],
    ["Model’s digest", model.digest],
    ["Model card", model.card],
    ["Engine", engine],
    ["Board", "id" in board ? board.id : `${board.model}, ${board.kind}`],
    ["Input range", inputRange && rangeWords(inputRange)],
    ["Calibration rows", calibration?.name],
    ["Address of the rows", calibration?.url],
    ...Object.entries(options).map(([name, value]) => [wordsOf(name), value] as const),
    ...Object.entries(serving).map(([name, value]) => [servingName(name), value] as const),
  ];
  return new Map(
    given.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : textOf(value)]],
    ),
  );
}

const servingNames: Readonly<Record<string, string>> = {
  replicas: "Replicas",
  maxBatchSize: "Rows of a batch, at most",
  maxWaitMs: "Wait for a batch, ms",
};

/** What a setting of serving is called. */
export const servingName = (name: string): string => servingNames[name] ?? wordsOf(name);

/** camelCase as words: `weightBits` → `Weight bits`. */
const wordsOf = (name: string) => {
  const words = name.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const rangeWords = ({ min, max }: NonNullable<NewRevision["inputRange"]>) =>
  `${textOf(min)} to ${textOf(max)}`;

/** Long lists are told by their beginning, which need not tell them apart: their length and end do. */
function textOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 80
    ? text
    : `${text.slice(0, 50)}…${text.slice(-20)} (${text.length} characters)`;
}
