import { describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { findMissingTools } from "./missing-tools";

const toolchain = (here: (command: string) => boolean) => ({
  getTool: async (command: string) => {
    if (!here(command)) {
      throw fail("TOOL_MISSING", `${command} is not on PATH.`, { hint: `bring ${command}` });
    }
    return { command, version: "1", needs: [], argv: (): [string] => [command] };
  },
});

describe("the tools that a build worker misses", () => {
  it("are those that engines run, each with the line that brings it", async () => {
    const { missing, tools } = await findMissingTools(toolchain((command) => command !== "basm"));
    expect(missing).toEqual([{ command: "basm", hint: "bring basm" }]);
    expect(tools).toMatchObject({ yosys: "1", "g++": "1", vivado: "1" });
    expect(tools).not.toHaveProperty("basm");
  });

  it("cover every engine's, and none of a vendor's, without which projects are written", async () => {
    const { missing, tools } = await findMissingTools(toolchain(() => false));
    const commands = missing.map(({ command }) => command);
    expect(commands).toEqual(
      expect.arrayContaining([
        "basm",
        "bondmachine",
        "neuralbond",
        "hls4ml",
        "g++",
        "tf2onnx",
        "yosys",
      ]),
    );
    expect(commands).not.toContain("vivado");
    expect(tools).toEqual({});
  });
});
