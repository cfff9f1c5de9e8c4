import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LogLine } from "@/lib/common/contract";
import { emptyOutline, extendOutline, type ProblemId } from "@/lib/common/log-outline";
import problems from "@/messages/en/builds.json";
import { levelOf } from "./level";
import { createPipeline } from "./pipeline";

const folder = "tests/fixtures/tool-output";

/** What the outline of a log makes of recorded output, through all that a build worker does with it. */
function problemsIn(name: string) {
  const pipeline = createPipeline([]);
  const bytes = readFileSync(join(folder, `${name}.txt`));
  const lines = [...pipeline.push(bytes), ...pipeline.end()].map(
    (text, index): LogLine => ({
      ...{ n: index + 1, time: "2026-11-27T00:00:00.000Z", stage: "place", stream: "stdout" },
      ...{ level: levelOf(text), text },
    }),
  );
  return extendOutline(emptyOutline, lines).problems;
}

const expected: Readonly<Record<string, readonly [level: LogLine["level"], ...ProblemId[]]>> = {
  "ice40-too-large": ["error", "nextpnrFull", "toolAborted"],
  "ice40-timing": ["error", "nextpnrTiming"],
  "ice40-no-free-pll": ["error", "nextpnrNoClock", "toolAborted"],
  "ice40-no-free-global": ["error", "nextpnrNoClock", "toolAborted"],
  "ice40-too-many-pins": ["error", "nextpnrPins", "toolAborted"],
  "ecp5-too-large": ["error", "nextpnrFull"],
  "ecp5-timing": ["error", "nextpnrTiming"],
  "ecp5-no-free-pll": ["error", "nextpnrNoClock"],
  "yosys-two-drivers": ["warning", "yosysConflict"],
  "yosys-two-blocks": ["warning", "yosysConflict"],
  "yosys-constant-driver": ["warning", "yosysConflict"],
  "yosys-out-of-memory": ["error", "toolAborted"],
};

describe("what Yosys and nextpnr said", () => {
  it.each(Object.entries(expected))("in %s is known and explained", (name, [level, ...ids]) => {
    const known = problemsIn(name).filter((each) => each.level === level && each.id !== null);
    expect(known.map(({ id }) => id)).toEqual(ids);
    for (const id of ids) {
      const { cause, change } = problems.problems[id];
      expect(`${cause} ${change}`.length).toBeGreaterThan(40);
    }
  });

  it("is all of what was recorded", () => {
    const recorded = readdirSync(folder).flatMap((file) => /^(.*)\.txt$/.exec(file)?.[1] ?? []);
    expect(recorded.sort()).toEqual(Object.keys(expected).sort());
  });
});
