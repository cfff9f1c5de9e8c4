import { describe, expect, it } from "vitest";
import { visibleWords } from "./visible-words.mjs";

const found = (text: string) =>
  visibleWords("it.tsx", text).map(({ line, words }: { line: number; words: string }) => [
    line,
    words,
  ]);

describe("texts that stand in the code", () => {
  it.each([
    ["between tags", "const A = () => <p>Two words</p>;", "Two words"],
    ["in a spoken attribute", 'const A = () => <i aria-label="Close" />;', "Close"],
    ["in one that is an expression", 'const A = () => <i title={"Close"} />;', "Close"],
    ["as a template", "const A = () => <i title={`Close $" + "{name}`} />;", "Close"],
    ["as a choice", 'const A = () => <p>{busy ? "Sending" : t("send")}</p>;', "Sending"],
    ["as a fallback", 'const A = () => <p>{name ?? "nobody"}</p>;', "nobody"],
  ])("%s are found", (_, text, words) => {
    expect(found(text)).toEqual([[1, words]]);
  });

  it.each([
    ["a class", 'const A = () => <p className="flex grow">{t("it")}</p>;'],
    ["a key of a catalogue", 'const A = () => <p title={t("title")}>{t("text")}</p>;'],
    ["a comparison", 'const A = () => <p>{state === "ready" ? t("a") : null}</p>;'],
    ["code", "const A = () => <code>npm run check</code>;"],
    ["a unit", "const A = () => <span>MHz</span>;"],
    ["a mark", "const A = () => <span>· – ✕</span>;"],
  ])("%s is none", (_, text) => {
    expect(found(text)).toEqual([]);
  });
});
