import { describe, expect, it } from "vitest";
import { preferredLanguage, readPreferences } from "./preferences";

const none = { cookie: () => undefined, acceptLanguage: null };

describe("preferences of a request", () => {
  it("are the defaults where nothing was chosen", () => {
    expect(readPreferences(none)).toEqual({
      theme: "system",
      contrast: "system",
      density: "comfortable",
      language: "en",
      shortcuts: "on",
    });
  });

  it("are what the cookies say, and nothing that is not a choice", () => {
    const cookies: Record<string, string> = { theme: "dark", density: "huge", language: "it" };
    const read = readPreferences({ ...none, cookie: (name) => cookies[name] });
    expect(read).toMatchObject({ theme: "dark", density: "comfortable", language: "it" });
  });

  it.each([
    [null, "en"],
    ["", "en"],
    ["it", "it"],
    ["it-IT,it;q=0.9,en;q=0.8", "it"],
    ["de-DE, en;q=0.7, it;q=0.9", "it"],
    ["en-GB,en;q=0.9,it;q=0.8", "en"],
    ["it;q=0, en;q=0.1", "en"],
    ["*;q=0.5", "en"],
    ["it;q=x,,;;=,en", "en"],
  ] as const)("take the language that %j prefers", (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  it("let a chosen language win over the browser's", () => {
    const read = readPreferences({
      cookie: (name) => (name === "language" ? "en" : undefined),
      acceptLanguage: "it",
    });
    expect(read.language).toBe("en");
  });
});
