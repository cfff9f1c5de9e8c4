import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";

/** A picture of a page, by its finding, or as the only one of a part of the page. */
export function picture(page: Page, scope: Locator, finding: RegExp) {
  const figure = scope
    .getByRole("figure")
    .filter({ has: page.getByRole("heading", { name: finding }) })
    .first();
  const save = async (format: "PNG" | "SVG" | "CSV") => {
    const open = figure.getByRole("button", { name: /^Save the picture/ });
    await open.waitFor();
    if ((await open.getAttribute("aria-expanded")) === "false") await open.click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      figure.getByRole("button", { name: new RegExp(`^${format}`) }).click(),
    ]);
    return await readFile(await download.path());
  };
  return {
    figure,
    title: () => figure.getByRole("heading").first().innerText(),
    /** The rows of its CSV file, by the names of the columns. */
    rows: async (): Promise<Readonly<Record<string, string>>[]> => {
      const [head = [], ...lines] = readRecords((await save("CSV")).toString("utf8"));
      return lines.map((line) =>
        Object.fromEntries(head.map((name, at) => [name, line[at] ?? ""])),
      );
    },
    svg: async () => (await save("SVG")).toString("utf8"),
    png: () => save("PNG"),
    /** The rows of its table, without the heads. */
    table: async () => {
      const open = figure.getByRole("button", { name: "As a table" });
      if ((await open.getAttribute("aria-expanded")) === "false") await open.click();
      const rows = await figure.getByRole("region").getByRole("row").all();
      const cells = await Promise.all(rows.map((row) => row.getByRole("cell").allInnerTexts()));
      return cells.filter((line) => line.length > 0);
    },
  };
}

/** The cells of a CSV file as RFC 4180 has them. */
function readRecords(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g;
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(cell)) {
    record.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
}
