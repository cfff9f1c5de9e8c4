import { describe, expect, it } from "vitest";
import { formatDurationMs, mailOf } from "./mailed-build";

const build = {
  ...{ state: "failed", endpointName: "iris", modelUrl: "s3://models/iris.onnx" },
  ...{ engine: "boardwalk", boardModel: "icebreaker", message: "It broke.", took: "41 s" },
  url: "http://localhost:3000/builds/bld_1",
};

describe("an e-mail about a build", () => {
  it("says what ended how, and leads to its page", () => {
    const { subject, text } = mailOf(build);
    expect(subject).toBe("Boardwalk: iris, build failed");
    expect(text).toContain("The build of iris took 41 s and ended: failed.\n\nIt broke.\n");
    expect(text).toContain("\nhttp://localhost:3000/builds/bld_1\n");
  });

  it("lets no name add a header or a line", () => {
    const { subject, text } = mailOf({
      ...build,
      endpointName: null,
      modelUrl: "https://x/\r\nBcc: all@example.com",
      message: "a\r\n\r\nb",
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toContain("\na b\n");
    expect(text).not.toMatch(/^Bcc/m);
  });

  it("says of a test that it is one", () => {
    expect(mailOf(undefined).subject).toBe("Boardwalk: test message");
  });

  it.each([
    [4200, "4.2 s"],
    [41_000, "41 s"],
    [64_000, "1 min 04 s"],
  ])("says %i ms as %s", (ms, words) => {
    expect(formatDurationMs(ms)).toBe(words);
  });
});
