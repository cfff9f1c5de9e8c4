import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { findFamily, listBoardModels } from "@/boards";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { boardwalkEngine } from ".";

const vendorBoards = listBoardModels().filter(({ part }) => findFamily(part)?.vendor);
const planOf = (id: string, toolVersions: Record<string, string> = { yosys: "0.55" }) =>
  boardwalkEngine.plan(
    planRequest("iris-mlp", id, { options: { architecture: "array" }, toolVersions }),
  );

function projectOf(id: string) {
  const [variant] = planOf(id).variants;
  const archive = variant?.files.get("project.zip");
  if (!(archive instanceof Uint8Array)) throw new Error("the plan has no project");
  const text = new TextDecoder();
  return {
    archive,
    files: Object.fromEntries(
      Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, text.decode(bytes)]),
    ),
  };
}

describe("the project for a vendor's tool", () => {
  it("is there for twelve boards", () => {
    expect(vendorBoards).toHaveLength(12);
  });

  it.each(vendorBoards.map(({ id }) => id))("of %s is whole, and equal each time", (id) => {
    const { archive, files } = projectOf(id);
    expect(projectOf(id).archive).toEqual(archive);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(["Makefile", "README.md", "core.v", "identity.v"]),
    );
    const named = Object.entries(files).flatMap(([name, text]) =>
      /\.(tcl|qsf)$/.test(name) ? [...text.matchAll(/\b[\w-]+\.(?:v|xdc|sdc)\b/g)] : [],
    );
    expect(named.length).toBeGreaterThan(2);
    for (const [name] of named) expect(Object.keys(files)).toContain(name);
    for (const text of Object.values(files)) expect(text).not.toMatch(/undefined|\[object|NaN/);
  });

  it("leads to no bitstream without the tool, and to one with it", () => {
    const without = planOf("basys3");
    expect(without.products.map(({ role }) => role)).not.toContain("bitstream");
    expect(without.variants[0]?.steps.map(({ stage }) => stage)).not.toContain("place");
    const found = planOf("basys3", { yosys: "0.55", vivado: "2023.2" });
    expect(found.products.map(({ role }) => role)).toContain("bitstream");
    const place = found.variants[0]?.steps.find(({ stage }) => stage === "place");
    expect(place).toMatchObject({ kind: "tool", command: "vivado" });
    expect(place?.reads).toEqual(
      expect.arrayContaining(["top.v", "core.v", "identity.v", "top.xdc"]),
    );
    expect(found.digest).not.toBe(without.digest);
  });

  it("is never run by half a tool", () => {
    const plan = planOf("de10-nano", { yosys: "0.55", quartus_sh: "22.1" });
    expect(plan.products.map(({ role }) => role)).not.toContain("bitstream");
  });

  it("builds for real boards but for cards, whose tool it never runs, and says what can be done", () => {
    const supports = (id: string) => {
      const board = vendorBoards.find((each) => each.id === id);
      return board && boardwalkEngine.supports(board, "physical");
    };
    expect(supports("zedboard")).toEqual({ ok: true });
    expect(supports("ebaz4205")).toEqual({ ok: true });
    expect(supports("alveo-u50")).toMatchObject({
      ok: false,
      problem: { reason: "COMBINATION_UNSUPPORTED", hint: expect.stringMatching(/prebuilt/) },
    });
  });
});
