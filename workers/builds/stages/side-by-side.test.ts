import { describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { StageTracker } from "../attempt";
import type { NewLine } from "../log";
import { type AttemptContext, say } from "./attempt-context";
import { sideBySide } from "./side-by-side";

function setUp() {
  const lines: NewLine[] = [];
  const tracker = new StageTracker({ save: async () => {}, linesOf: () => null });
  const end = new AbortController();
  const context = {
    signal: end.signal,
    stages: tracker.track(),
    log: { write: (line: NewLine) => void lines.push(line) },
  } as unknown as AttemptContext;
  const stateOf = (name: string) => tracker.snapshot().find((each) => each.name === name);
  return { context, end, lines, stateOf };
}

const aborted = ({ signal }: AttemptContext) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(fail("CANCELLED", "ended")));
  });

describe("two works side by side", () => {
  it("both are done, and their lines do not mingle", async () => {
    const { context, lines, stateOf } = setUp();
    let finishPlacing = () => {};
    const placed = new Promise<void>((resolve) => {
      finishPlacing = resolve;
    });
    const answer = await sideBySide(
      context,
      async (main) => {
        main.stages.enter("place");
        say(main, "placing");
        await placed;
        say(main, "placed");
        return 7;
      },
      async (beside) => {
        beside.stages.enter("simulate");
        say(beside, "simulated");
        beside.stages.enter("verify");
        say(beside, "proven");
        finishPlacing();
      },
    );
    expect(answer).toBe(7);
    expect(context.stages.current).toBe("place");
    expect(["simulate", "verify"].map((name) => stateOf(name)?.state)).toEqual([
      "succeeded",
      "succeeded",
    ]);
    expect(lines.map(({ text }) => text)).toEqual(["simulated", "placing", "proven", "placed"]);
    expect(lines.map(({ stage }) => stage)).toEqual(["simulate", "place", "verify", "place"]);
  });

  it("one goes on with what the other found", async () => {
    const { context } = setUp();
    const answer = await sideBySide(
      context,
      async (_, aside) => (await aside) + 1,
      async () => 7,
    );
    expect(answer).toBe(8);
  });

  it("nested, a stage of the outer work is free for the inner one as soon as it is done", async () => {
    const { context, stateOf } = setUp();
    const seen: unknown[] = [];
    await sideBySide(
      context,
      (outer, rows) =>
        sideBySide(
          outer,
          async (main) => {
            main.stages.enter("place");
            await rows;
          },
          async (beside) => {
            await rows;
            seen.push(stateOf("verify")?.state);
            beside.stages.enter("verify");
          },
        ),
      async (beside) => {
        beside.stages.enter("verify");
      },
    );
    expect(seen).toEqual(["succeeded"]);
    expect(stateOf("verify")?.state).toBe("succeeded");
  });

  it("a proof that fails ends the placing, and the failure is told in its own stage", async () => {
    const { context, stateOf } = setUp();
    const run = sideBySide(
      context,
      async (main) => {
        main.stages.enter("place");
        await aborted(main);
      },
      async (beside) => {
        beside.stages.enter("verify");
        throw fail("VERIFICATION_FAILED", "differs");
      },
    );
    await expect(run).rejects.toMatchObject({ reason: "VERIFICATION_FAILED" });
    expect(stateOf("place")).toMatchObject({
      state: "skipped",
      reason: "Not finished, since verify failed.",
    });
    expect(context.stages.current).toBe("verify");
  });

  it("a placing that fails waits for what the proof says", async () => {
    const { context, stateOf } = setUp();
    const place = async (main: AttemptContext) => {
      main.stages.enter("place");
      throw fail("TOOL_FAILED", "no room");
    };
    const verify = (end: () => void) => async (beside: AttemptContext) => {
      beside.stages.enter("verify");
      await new Promise((resolve) => setTimeout(resolve, 5));
      end();
    };
    const proven = sideBySide(
      context,
      place,
      verify(() => {}),
    );
    await expect(proven).rejects.toMatchObject({ reason: "TOOL_FAILED" });
    expect(context.stages.current).toBe("place");
    expect(stateOf("verify")?.state).toBe("succeeded");
    const wrong = verify(() => {
      throw fail("VERIFICATION_FAILED", "differs");
    });
    await expect(sideBySide(context, place, wrong)).rejects.toMatchObject({
      reason: "VERIFICATION_FAILED",
    });
    expect(context.stages.current).toBe("verify");
  });

  it("both end with the build", async () => {
    const { context, end, stateOf } = setUp();
    context.stages.enter("place");
    const run = sideBySide(context, aborted, async (beside) => {
      beside.stages.enter("verify");
      await aborted(beside);
    });
    end.abort();
    await expect(run).rejects.toMatchObject({ reason: "CANCELLED" });
    expect(context.stages.current).toBe("place");
    expect(stateOf("verify")).toMatchObject({ state: "skipped", reason: "Not finished." });
  });
});
