import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { messages as english } from "./en";
import { messages as italian } from "./it";

/** All texts of a tree, by their path. */
function textsOf(tree: object, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[`${path}${key}`, value]] : textsOf(value, `${path}${key}.`),
  );
}

/** Names of the values and tags that a text takes. */
const valuesOf = (text: string) =>
  [
    ...new Set([...text.matchAll(/[{<]\/?([a-zA-Z]\w*)[\s,}>]/g)].map(([, name]) => name ?? "")),
  ].toSorted();

const texts = { en: textsOf(english), it: textsOf(italian) };
const italianAt = new Map(texts.it);

describe("the texts of the pages", () => {
  it("are the same in every language", () => {
    expect(texts.it.map(([path]) => path).toSorted()).toEqual(
      texts.en.map(([path]) => path).toSorted(),
    );
  });

  it("take the same values in every language", () => {
    const differing = texts.en.filter(
      ([path, text]) => `${valuesOf(text)}` !== `${valuesOf(italianAt.get(path) ?? "")}`,
    );
    expect(differing).toEqual([]);
  });

  it.each(["en", "it"] as const)("are whole and well-formed in %s", (locale) => {
    const broken: string[] = [];
    for (const [path, text] of texts[locale]) {
      const t = createTranslator({
        locale,
        messages: { text },
        onError: ({ message }) => void broken.push(`${path}: ${message}`),
      });
      if (text.trim() === "") broken.push(`${path} is empty`);
      t.markup(
        "text",
        Object.fromEntries(valuesOf(text).map((name) => [name, valueFor(text, name)])),
      );
    }
    expect(broken).toEqual([]);
  });
});

/** A value for a place in a text: what draws a tag, or a number, which may stand for any text. */
const valueFor = (text: string, name: string) =>
  text.includes(`<${name}>`) ? (inner: string) => inner : 1;
