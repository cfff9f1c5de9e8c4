import { describe, expect, it } from "vitest";
import { listReasons, reasons } from "@/lib/common/errors";
import english from "./en/errors.json";
import italian from "./it/errors.json";

describe("the pages about errors", () => {
  it.each([
    ["English", english],
    ["Italian", italian],
  ])("explain every reason there is, and no other, in %s", (_, { reasons: texts }) => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(reasons).toSorted());
    for (const text of Object.values(texts)) {
      expect(Object.keys(text)).toEqual(["means", "cause", "check", "fix"]);
      // Sentences, each of which ends.
      for (const sentence of Object.values(text)) expect(sentence).toMatch(/^.{12,}[.]$/s);
    }
  });

  it("say different things of different errors", () => {
    for (const { reasons: texts } of [english, italian]) {
      const meanings = Object.values(texts).map(({ means }) => means);
      expect(new Set(meanings).size).toBe(meanings.length);
    }
  });

  it("list every reason once, in groups that all have some", () => {
    const listed = listReasons();
    expect(listed.map(({ reason }) => reason)).toEqual(Object.keys(reasons));
    expect(Object.keys(english.groups)).toEqual([...new Set(listed.map(({ group }) => group))]);
  });
});
