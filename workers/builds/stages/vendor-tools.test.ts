import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { getEngine } from "@/engines";
import { findVendorTools } from "./vendor-tools";

const context = {
  stages: { current: null },
  log: { write: () => {} },
} as unknown as Parameters<typeof findVendorTools>[0];
const toolchainOf = (...here: string[]) => ({
  toolchain: {
    getTool: () => Promise.reject(new Error("no tool is run here")),
    versions: () => Promise.resolve({}),
    found: (commands: readonly string[]) =>
      Promise.resolve(
        Object.fromEntries(
          commands.filter((each) => here.includes(each)).map((each) => [each, "1"]),
        ),
      ),
  },
});
const look = (board: string, kind: "simulated" | "physical", ...here: string[]) =>
  findVendorTools(
    context,
    { engine: getEngine("boardwalk"), boardModel: getBoardModel(board), kind },
    toolchainOf(...here),
  );

describe("the vendor's tool of a board", () => {
  it.each([
    { board: "icebreaker", here: [], missing: null },
    { board: "basys3", here: [], missing: "project written, bitstream needs Vivado" },
    { board: "basys3", here: ["vivado"], missing: null },
    {
      board: "de10-nano",
      here: ["quartus_sh"],
      missing: "project written, bitstream needs Quartus",
    },
    { board: "de10-nano", here: ["quartus_sh", "quartus_cpf"], missing: null },
    { board: "alveo-u50", here: ["vivado"], missing: "project written, bitstream needs Vitis" },
  ])("of $board with $here is missing: $missing", async ({ board, here, missing }) => {
    const found = await look(board, "simulated", ...here);
    expect(found.missing).toBe(missing);
    expect(Object.keys(found.versions)).toEqual(missing === null && here.length > 0 ? here : []);
  });

  it("refuses a real board whose tool is not here", async () => {
    await expect(look("basys3", "physical")).rejects.toMatchObject({
      reason: "TOOL_MISSING",
      message: "A bitstream for Basys 3 needs Vivado, which is not on this build worker.",
    });
    await expect(look("basys3", "physical", "vivado")).resolves.toMatchObject({ missing: null });
  });
});
