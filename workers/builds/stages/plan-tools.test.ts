import { describe, expect, it } from "vitest";
import { getBoardModel, listBoardModels } from "@/boards";
import { getEngine, listEngines } from "@/engines";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { findPlanTools } from "./plan-tools";

const checkers = new Set(
  listBoardModels().flatMap((board) =>
    listEngines().flatMap((each) => each.checkers?.(board) ?? []),
  ),
);

/** A machine with every tool, and with or without all that only checks. */
const machine = (withCheckers: boolean) => ({
  versions: async (commands: readonly string[]) =>
    Object.fromEntries(commands.map((command) => [command, `${command} 1.0`])),
  found: async (commands: readonly string[]) =>
    Object.fromEntries(
      commands
        .filter((command) => withCheckers || !checkers.has(command))
        .map((command) => [command, `${command} ${Math.random()}`]),
    ),
});
const toolsOf = (id: string, board: string, withCheckers: boolean, options = {}) =>
  findPlanTools(
    getEngine(id),
    { format: "onnx", board: getBoardModel(board), options },
    machine(withCheckers),
    {},
  );

describe("the tools of a plan", () => {
  it("are those that its options ask for", async () => {
    const toolsWith = async (options: object) =>
      Object.keys((await toolsOf("bondmachine", "icebreaker", false, options)).versions);
    expect(await toolsWith({})).not.toContain("neuralbond");
    expect(await toolsWith({ flow: "neuralbond" })).toContain("neuralbond");
  });

  it("are never those that only check", async () => {
    expect([...checkers]).toContain("icebox_vlog");
    for (const { id } of listBoardModels()) {
      const { versions } = await toolsOf("boardwalk", id, true);
      expect(Object.keys(versions).filter((command) => checkers.has(command))).toEqual([]);
    }
  });

  const array = { architecture: "array" };
  const unrolled = { architecture: "unrolled", precision: "smallest" };
  it.each([
    { board: "icebreaker", options: {} },
    { board: "icebreaker", options: unrolled },
    { board: "icebreaker", options: { ...array, simulate: "shell" } },
    { board: "alhambra-ii", options: array },
    { board: "ice40-hx8k-evn", options: unrolled },
    { board: "ulx3s-85f", options: array },
    { board: "tang-nano-9k", options: array },
  ])("give $board, $options one digest, with every checker and with none", async (each) => {
    const [without, all] = await Promise.all(
      [false, true].map(async (withCheckers) => {
        const { versions, checks } = await toolsOf("boardwalk", each.board, withCheckers);
        const { options } = each;
        const plan = getEngine("boardwalk").plan(
          planRequest("iris-mlp", each.board, { options, toolVersions: versions }),
        );
        return { checks, digest: plan.digest, readBack: plan.variants.some((v) => v.readBack) };
      }),
    );
    expect(all?.digest).toBe(without?.digest);
    expect(without?.checks).toBe(false);
    // The plan says how a product could be read back, whether or not somebody can.
    expect(all?.readBack).toBe(without?.readBack);
  });

  it("say whether products can be read back", async () => {
    expect((await toolsOf("boardwalk", "icebreaker", true)).checks).toBe(true);
    expect((await toolsOf("boardwalk", "icebreaker", false)).checks).toBe(false);
    expect((await toolsOf("onnx", "cpu", true)).checks).toBe(false);
  });
});
