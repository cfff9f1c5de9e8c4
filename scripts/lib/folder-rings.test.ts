import { describe, expect, it } from "vitest";
import { findFolderRings } from "./folder-rings.mjs";

const modulesOf = (imports: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(imports).map(([source, targets]) => ({
    source,
    dependencies: targets.map((resolved) => ({ resolved })),
  }));
const ringsOf = (imports: Readonly<Record<string, readonly string[]>>) =>
  findFolderRings(modulesOf(imports));

describe("rings between folders", () => {
  it("finds one that no file is part of, and says which imports make it", () => {
    const imports = {
      "workers/builds/a.ts": ["workers/inspect/b.ts"],
      "workers/inspect/b.ts": [],
      "workers/inspect/c.ts": ["workers/look/search/d.ts"],
      "workers/look/e.ts": ["workers/builds/stages/f.ts"],
    };
    expect(ringsOf(imports)).toEqual([
      {
        folder: "workers",
        names: ["builds", "inspect", "look"],
        imports: [
          "workers/builds/a.ts → workers/inspect/b.ts",
          "workers/inspect/c.ts → workers/look/search/d.ts",
          "workers/look/e.ts → workers/builds/stages/f.ts",
        ],
      },
    ]);
  });

  it("finds a folder that imports, of the folder around it, what imports it", () => {
    const imports = {
      "grpc/wire/call.ts": ["grpc/status.ts"],
      "grpc/status.ts": ["grpc/wire/text.ts"],
    };
    expect(ringsOf(imports)).toMatchObject([{ folder: "grpc", names: ["wire", "status.ts"] }]);
  });

  it.each([
    ["lib/a.ts", "domain/b.ts", ""],
    ["lib/a/x.ts", "lib/b/y.ts", "lib"],
  ])("holds %s and %s apart at the level where they part", (one, other, folder) => {
    expect(ringsOf({ [one]: [other], [other]: [one] })).toMatchObject([{ folder }]);
  });

  it.each([
    ["an index that imports its folders", { "a/index.ts": ["a/b/x.ts"], "a/b/x.ts": ["a/y.ts"] }],
    ["a test", { "a/b/x.test.ts": ["a/c/y.ts"], "a/c/y.ts": ["a/b/x.ts"] }],
    ["one way", { "a/b/x.ts": ["a/c/y.ts"], "a/c/y.ts": ["a/d/z.ts"], "a/b/w.ts": ["a/d/z.ts"] }],
  ])("takes %s", (_, imports) => {
    expect(ringsOf(imports)).toEqual([]);
  });
});
