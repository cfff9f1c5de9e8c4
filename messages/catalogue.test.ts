import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { describe, expect, it } from "vitest";
import { messages as english } from "./en";
import { messages as italian } from "./it";

/** All texts of a tree, by their path. */
function textsOf(tree: object, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[`${path}${key}`, value]] : textsOf(value, `${path}${key}.`),
  );
}

/** Names of the values and tags that a parsed text takes. */
function namesIn(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    const inner =
      element.type === TYPE.tag
        ? element.children
        : "options" in element
          ? Object.values(element.options).flatMap(({ value }) => value)
          : [];
    return [element.value, ...namesIn(inner)];
  });
}

const valuesOf = (text: string) => [...new Set(namesIn(parse(text)))].toSorted();

/** Values of a choice such as `{noun, select, …}` and of a plural, which must leave no case out. */
function casesIn(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) =>
    "options" in element
      ? [
          `${element.value}: ${Object.keys(element.options).toSorted()}`,
          ...Object.values(element.options).flatMap(({ value }) => casesIn(value)),
        ]
      : element.type === TYPE.tag
        ? casesIn(element.children)
        : [],
  );
}

const texts = { en: textsOf(english), it: textsOf(italian) };
const italianAt = new Map(texts.it);

describe("the texts of the pages", () => {
  it("are the same in every language", () => {
    expect(texts.it.map(([path]) => path).toSorted()).toEqual(
      texts.en.map(([path]) => path).toSorted(),
    );
  });

  it.each(["en", "it"] as const)("are whole and well-formed in %s", (locale) => {
    const broken = texts[locale].filter(([, text]) => {
      try {
        return parse(text).length === 0;
      } catch {
        return true;
      }
    });
    expect(broken).toEqual([]);
  });

  it.each([
    ["values", valuesOf],
    ["cases", (text: string) => [...new Set(casesIn(parse(text)))].toSorted()],
  ])("take the same %s in every language", (_, partsOf) => {
    const differing = texts.en.filter(
      ([path, text]) => `${partsOf(text)}` !== `${partsOf(italianAt.get(path) ?? "")}`,
    );
    expect(differing).toEqual([]);
  });
});
