import { type Language, languages } from "./snippets";

const key = "boardwalk.language";

/** The language of snippets that was chosen last in this browser; curl where none was. */
export function chosenLanguage(): Language {
  try {
    const stored = localStorage.getItem(key);
    return languages.find((each) => each === stored) ?? "curl";
  } catch {
    return "curl";
  }
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(key, language);
  } catch {
    // Without storage curl is offered again.
  }
}
