import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import type { LackingTools } from "@/lib/common/contract";
import { messages } from "@/messages/en";
import { lackValues, toolsLack, waysToMend } from "./tools-lack";

const t = createTranslator({ locale: "en", messages, namespace: "deploy.tools" });

/** The whole sentence, without its marks. */
const said = (lacking: LackingTools) =>
  t.markup("needs", { engine: "maker", ...lackValues(lacking, t), b: (words) => words });
const hint = "npm run setup -- maker";
const lack: LackingTools = {
  formats: ["onnx"],
  boards: ["icebreaker", "ulx3s"],
  tools: [
    { command: "make-core", hint },
    { command: "make-it", hint },
  ],
  workers: 1,
  of: 1,
};
const engine = {
  formats: ["onnx", "keras"],
  boards: ["icebreaker", "ulx3s", "tang-nano-9k"],
  lacking: [lack],
};

describe("tools that build workers lack", () => {
  it.each([
    { format: "onnx", board: "icebreaker", found: lack, why: "both are chosen and lacking" },
    { format: "onnx", board: "tang-nano-9k", found: null, why: "this board needs none of them" },
    { format: "keras", board: "icebreaker", found: null, why: "this format needs none of them" },
    { format: null, board: "icebreaker", found: null, why: "the model may be of another format" },
    { format: "onnx", board: null, found: null, why: "a board may be chosen that needs none" },
  ])("are told when $why", ({ format, board, found }) => {
    expect(toolsLack(engine, { format, board, options: {} })).toBe(found);
  });

  it("are told before anything is chosen where nothing could be built", () => {
    const always = { ...lack, formats: engine.formats, boards: engine.boards };
    const nothing = { format: null, board: null, options: {} };
    expect(toolsLack({ ...engine, lacking: [always] }, nothing)).toBe(always);
  });

  it("follow an option that needs more of them", () => {
    const more = {
      ...lack,
      tools: [...lack.tools, { command: "write-it", hint }],
      option: { name: "flow", value: "other" },
    };
    const chosen = { format: "onnx", board: "icebreaker" };
    const both = { ...engine, lacking: [lack, more] };
    expect(toolsLack(both, { ...chosen, options: {} })).toBe(lack);
    expect(toolsLack(both, { ...chosen, options: { flow: "usual" } })).toBe(lack);
    expect(toolsLack(both, { ...chosen, options: { flow: "other" } })).toBe(more);
    const only = { ...engine, lacking: [more] };
    expect(toolsLack(only, { ...chosen, options: {} })).toBeNull();
    expect(toolsLack(only, { ...chosen, options: { flow: "other" } })).toBe(more);
    expect(said(more)).toContain(
      "maker with flow other needs make-core, make-it and write-it, which no build worker has.",
    );
  });

  it("are named, and whether all workers or some lack them", () => {
    expect(said(lack)).toBe(
      "maker needs make-core and make-it, which no build worker has. To mend it: npm run setup -- maker. You may deploy all the same: the build looks for them again when it begins.",
    );
    expect(said({ ...lack, of: 3 })).toContain(
      "maker needs make-core and make-it, which 1 of 3 build workers lack.",
    );
    expect(waysToMend(lack)).toEqual([hint]);
  });
});
