import { describe, expect, it } from "vitest";
import type { Board } from "@/lib/common/contract";
import { type Outlook, outlookOf, outlookWords } from "./outlook";

const board = (
  id: string,
  holders: readonly (string | null)[],
  more: Partial<Board> = {},
): Board => ({
  id,
  name: id,
  boardModel: "cpu",
  kind: "cpu",
  loads: "boardwalk",
  state: "serving",
  serverId: "srv_1",
  serverName: "here",
  heartbeatAt: null,
  slots: holders.map((endpointName, index) => ({
    id: `${id}-${index}`,
    index,
    state: endpointName ? "serving" : "empty",
    artifactDigest: null,
    endpointName,
    revisionId: null,
  })),
  ...more,
});
const onCpu = { boardModel: "cpu", boardKind: "cpu", boardId: null } as const;

describe("what loading another revision means for callers", () => {
  it.each<[string, readonly Board[], Outlook]>([
    ["a free place", [board("a", ["iris", null])], "beside"],
    ["its own only place", [board("a", ["iris"])], "instead"],
    ["its own several places", [board("a", ["iris", "iris"])], "turn"],
    ["places of others", [board("a", ["iris", "digits"])], "waits"],
    [
      "a free place of a silent server",
      [board("a", ["iris"]), board("b", [null], { state: "offline" })],
      "instead",
    ],
    [
      "a free place on another kind of board",
      [board("a", ["iris"]), board("b", [null], { boardModel: "x" })],
      "instead",
    ],
    ["no board", [], "none"],
  ])("with %s", (_what, boards, outlook) => {
    expect(outlookOf("iris", onCpu, boards)).toBe(outlook);
  });

  it("asks only the board that is named, and makes simulated ones", () => {
    const boards = [board("a", ["iris"]), board("b", [null])];
    expect(outlookOf("iris", { ...onCpu, boardId: "a" }, boards)).toBe("instead");
    expect(outlookOf("iris", { ...onCpu, boardKind: "simulated" }, [])).toBe("made");
  });

  it("says which status callers get where some do", () => {
    const names = { serving: "revision 2", next: "Revision 1", board: "CPU" };
    expect(outlookWords("instead", names)).toContain("503");
    expect(outlookWords("beside", names)).toContain("No request fails");
  });
});
