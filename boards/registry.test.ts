import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boardEntries, partEntries, programmerEntries } from "./data";
import { findBoardModel, getBoardModel, listBoardModels } from "./registry";
import { boardEntrySchema, partSchema, programmerSchema } from "./schema";

const filesIn = (folder: string) =>
  readdirSync(new URL(`./data/${folder}`, import.meta.url)).sort();
const namesOf = (entries: readonly { id: string }[]) =>
  entries.map(({ id }) => `${id}.json`).sort();

describe("board data", () => {
  it.each([
    { folder: "boards", entries: boardEntries },
    { folder: "parts", entries: partEntries },
    { folder: "programmers", entries: programmerEntries },
  ])("holds every file of $folder, under the file's own name", ({ folder, entries }) => {
    expect(namesOf(entries)).toEqual(filesIn(folder));
  });

  it.each(boardEntries.map((entry) => [entry.id, entry] as const))(
    "%s is well formed",
    (_, entry) => {
      boardEntrySchema.parse(entry);
    },
  );
  it.each(partEntries.map((entry) => [entry.id, entry] as const))(
    "part %s is well formed",
    (_, entry) => {
      partSchema.parse(entry);
    },
  );
  it.each(programmerEntries.map((entry) => [entry.id, entry] as const))(
    "programmer %s is well formed",
    (_, entry) => {
      programmerSchema.parse(entry);
    },
  );

  it("has no part and no programmer that no board uses", () => {
    const used = new Set<string>(boardEntries.map((entry) => entry.part));
    expect(partEntries.filter(({ id }) => !used.has(id))).toEqual([]);
    const programmers = new Set(boardEntries.flatMap(({ programmer }) => programmer?.id ?? []));
    expect(programmerEntries.filter(({ id }) => !programmers.has(id))).toEqual([]);
  });
});

describe("board models", () => {
  it.each(listBoardModels().map((model) => [model.id, model] as const))(
    "%s joins its part and programmer and can be drawn",
    (id, model) => {
      const entry = boardEntries.find((each) => each.id === id);
      expect(model.part.id).toBe(entry?.part);
      expect(model.programmer?.id).toBe(entry?.programmer?.id);
      expect(Math.min(model.drawing.widthMm, model.drawing.heightMm)).toBeGreaterThan(
        model.drawing.chipMm,
      );
      if (model.id !== "cpu") expect(model.part.resources.lut).toBeGreaterThan(0);
    },
  );

  it("lists those that can be built for first", () => {
    const flows = listBoardModels().map((model) => model.part.flow.kind);
    expect(flows).toHaveLength(38);
    expect(flows.slice(0, 26)).not.toContain("vivado");
    expect(new Set(flows.slice(26))).toEqual(new Set(["vivado", "quartus"]));
  });

  it("knows what iCEBreaker is", () => {
    const { part, links, programmer } = getBoardModel("icebreaker");
    expect(part).toMatchObject({
      family: "ice40",
      resources: { lut: 5280, bramBlocks: 30, dsp: 8 },
    });
    expect(part.flow).toMatchObject({ kind: "icestorm", device: "up5k", package: "sg48" });
    expect(links[0]).toMatchObject({ kind: "uart", rx: "6", tx: "9", baud: 1_000_000 });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the data
    expect(programmer).toMatchObject({ command: "iceprog", args: ["${file}"] });
  });

  // Checked by hand against the reference of boards, whose sources are in the entries.
  it.each([
    ["zedboard", "xc7z020clg484-1", "axi", []],
    ["ebaz4205", "xc7z010clg400-1", "axi", []],
    ["alveo-u50", "xcu50-fsvh2104-2-e", "pcie", ["alveou50"]],
  ])("has %s under that very name, with its part %s", (id, device, link, aliases) => {
    const model = getBoardModel(id);
    expect(model).toMatchObject({ id, part: { flow: { kind: "vivado", device } } });
    expect(model.links[0]?.kind).toBe(link);
    expect(model.aliases ?? []).toEqual(aliases);
    for (const alias of aliases) expect(findBoardModel(alias)).toBe(model);
    // Nobody has served from a real one; who has says so in its entry.
    expect(model.verifiedOnHardware).toBeUndefined();
  });

  it("has no name twice", () => {
    const names = boardEntries.flatMap((entry) => [
      entry.id,
      ...("aliases" in entry ? entry.aliases : []),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("refuses a board it does not know", () => {
    expect(findBoardModel("nope")).toBeNull();
    expect(() => getBoardModel("nope")).toThrow(
      expect.objectContaining({ code: "not_found", reason: "BOARD_UNKNOWN" }),
    );
  });
});
