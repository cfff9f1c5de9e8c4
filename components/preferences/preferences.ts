/** How one person wants the pages. Each part lies in a cookie of its name, which the server reads: the first paint is already right. */
export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  readonly contrast: "system" | "high";
  readonly density: "comfortable" | "compact";
  readonly language: "en" | "it";
  /** Whether a single key may be a shortcut. */
  readonly shortcuts: "on" | "off";
}

export type Language = Preferences["language"];

/** What each preference may be. */
export const choices: { readonly [Part in keyof Preferences]: readonly Preferences[Part][] } = {
  theme: ["system", "light", "dark"],
  contrast: ["system", "high"],
  density: ["comfortable", "compact"],
  language: ["en", "it"],
  shortcuts: ["on", "off"],
};

/** The cookies and headers of a request, as far as preferences are in them. */
export interface PreferenceSource {
  /** The value of a cookie. */
  readonly cookie: (name: string) => string | undefined;
  /** The header `Accept-Language`. */
  readonly acceptLanguage: string | null;
}

/** Preferences of a request. What was not chosen, or is not a choice, is the default; the language is then the browser's. */
export function readPreferences({ cookie, acceptLanguage }: PreferenceSource): Preferences {
  const one = <Part extends keyof Preferences>(part: Part): Preferences[Part] | undefined =>
    choices[part].find((choice) => choice === cookie(part));
  return {
    theme: one("theme") ?? "system",
    contrast: one("contrast") ?? "system",
    density: one("density") ?? "comfortable",
    language: one("language") ?? preferredLanguage(acceptLanguage),
    shortcuts: one("shortcuts") ?? "on",
  };
}

/** The first of our languages in the order a browser prefers them (RFC 9110, 12.5.4); English where it wants none of ours. */
export function preferredLanguage(acceptLanguage: string | null): Language {
  const wanted = (acceptLanguage ?? "")
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
      const quality = parameters
        .find((each) => each.trim().startsWith("q="))
        ?.trim()
        .slice(2);
      return { language: tag.split("-")[0], quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { language } of wanted) {
    const known = choices.language.find((each) => each === language);
    if (known !== undefined) return known;
  }
  return "en";
}
