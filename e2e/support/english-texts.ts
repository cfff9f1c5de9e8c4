import type { Page } from "playwright-core";
import { messages as english } from "@/messages/en";
import { messages as italian } from "@/messages/it";

/** Every text of a catalogue by its key. */
function textsOf(catalogue: object, path = ""): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[`${path}${key}`, value]] : textsOf(value, `${path}${key}.`),
  );
}

const inItalian = new Map(textsOf(italian));
const alsoItalian = new Set(inItalian.values());

/** English texts that read otherwise in Italian, as far as they stand as they are: without values, plurals and links. */
const onlyEnglish = new Set(
  textsOf(english)
    .filter(([key, text]) => inItalian.get(key) !== text && !alsoItalian.has(text))
    .map(([, text]) => text)
    .filter((text) => text.length > 2 && !/[{}<>]/.test(text)),
);

/** What a model, a compiler or a check says as it is, and which stands in the catalogue by chance: a tensor, a phase, a finding. */
const said = new Set(["features", "Answer", "free"]);

/** Texts of the English catalogue that an Italian page shows or speaks. */
export async function englishTextsOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      // Code, names and what tools said are nobody's to translate.
      if (parent?.closest("script, style, code, pre, .mono, [translate=no]")) continue;
      found.push(node.textContent ?? "");
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
      for (const name of ["aria-label", "title", "placeholder", "alt"])
        found.push(element.getAttribute(name) ?? "");
    return [...new Set([document.title.replace(/ · Boardwalk$/, ""), ...found])];
  });
  return texts
    .map((text) => text.trim())
    .filter((text) => onlyEnglish.has(text) && !said.has(text));
}
