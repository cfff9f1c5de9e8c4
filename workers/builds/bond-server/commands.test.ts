import { describe, expect, it } from "vitest";
import type { Stage, StageName } from "@/lib/common/contract";
import { CommandTeller } from "./commands";

type States = Partial<Record<StageName, Stage["state"]>>;
const names = ["fetch", "inspect", "plan", "synthesise", "place", "pack"] as const;
const stagesOf = (states: States) =>
  names.map((name) => ({ name, state: states[name] ?? "waiting" }) as Stage);

function hear(...builds: States[]): string[] {
  const heard: string[] = [];
  const teller = new CommandTeller((text) => heard.push(text));
  for (const states of builds) teller.see({ stages: stagesOf(states) });
  return heard;
}

const done = { fetch: "succeeded", inspect: "succeeded", plan: "succeeded" } as const;

describe("the commands of a build", () => {
  it("are told once each, in the original's words and order, however seldom somebody looks", () => {
    const often = hear(
      { fetch: "running" },
      { fetch: "succeeded", inspect: "running" },
      { fetch: "succeeded", inspect: "running" },
      { ...done, synthesise: "running" },
      { ...done, synthesise: "succeeded", place: "running" },
      { ...done, synthesise: "succeeded", place: "succeeded", pack: "succeeded" },
    );
    const seldom = hear({
      ...done,
      synthesise: "succeeded",
      place: "succeeded",
      pack: "succeeded",
    });
    expect(often).toEqual(seldom);
    const commands = [
      "make bondmachine",
      "make hdl",
      "make design_synthesis",
      "make design_implementation",
      "make design_bitstream",
    ];
    expect(seldom).toEqual(
      commands.flatMap((command) => [
        `Before exec command: ${command}`,
        `command executed successfully: ${command}`,
      ]),
    );
  });

  it("say nothing of what is skipped, nor of an end that did not come", () => {
    const heard = hear({ ...done, synthesise: "failed", place: "skipped", pack: "skipped" });
    expect(heard.at(-1)).toBe("Before exec command: make design_synthesis");
    const reused = hear({ ...done, synthesise: "skipped", place: "skipped", pack: "skipped" });
    expect(reused.at(-1)).toBe("command executed successfully: make hdl");
  });
});
