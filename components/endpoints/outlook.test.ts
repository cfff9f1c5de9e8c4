import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import type { Board } from "@/lib/common/contract";
import { messages } from "@/messages/en";
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
const t = createTranslator({ locale: "en", messages, namespace: "endpoints" });
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
    const names = { serving: 2, next: 1, board: "CPU" };
    expect(outlookWords("instead", names, t)).toContain("get 503 until revision 1 serves.");
    expect(outlookWords("beside", names, t)).toMatch(/^Revision 1 is .*No request fails\.$/);
  });

  it("names a revision that has no number yet", () => {
    const names = { serving: 2, next: "new", board: "CPU" } as const;
    expect(outlookWords("beside", names, t)).toMatch(/^The new revision is .*; revision 2 answers/);
    expect(outlookWords("none", names, t)).toMatch(/^No CPU is online now, so the new revision /);
  });
});
