import { describe, expect, it } from "vitest";
import { getEngine } from "@/engines";
import type { BuildWorker, MissingTool } from "@/lib/common/contract";
import { lackingTools } from "./lacking-tools";

const worker = (...commands: string[]): BuildWorker => ({
  name: "builds-1",
  host: "here",
  sandbox: "none",
  mend: null,
  tools: null,
  slots: 1,
  seenAt: "2026-01-01T00:00:00.000Z",
  missing: commands.map((command): MissingTool => ({ command, hint: `bring ${command}` })),
});
const engine = getEngine("bondmachine");
const namesOf = (lacking: ReturnType<typeof lackingTools>) =>
  lacking.map(({ option, tools }) => [option ?? null, tools.map(({ command }) => command)]);

describe("the tools that an engine's builds lack", () => {
  const neuralbond = { name: "flow", value: "neuralbond" };

  it("are of the choice that needs them", () => {
    expect(namesOf(lackingTools(engine, [worker("neuralbond")]))).toEqual([
      [neuralbond, ["neuralbond"]],
    ]);
  });

  it("are told of builds with and without the choice where both lack some", () => {
    expect(namesOf(lackingTools(engine, [worker("basm", "neuralbond")]))).toEqual([
      [null, ["basm"]],
      [neuralbond, ["basm", "neuralbond"]],
    ]);
  });

  it("are not told twice where the choice lacks no more", () => {
    expect(namesOf(lackingTools(engine, [worker("basm")]))).toEqual([[null, ["basm"]]]);
    expect(lackingTools(engine, [worker()])).toEqual([]);
  });
});
