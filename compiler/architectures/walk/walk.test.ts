import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { coreFor } from "@/tests/support/compiler/core-for";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { targetOf } from "../../target/part";

const core = coreFor(imageNet([8, 16]), targetOf(getBoardModel("icebreaker")));

describe("a core that walks through feature maps", { timeout: 60_000 }, () => {
  it("has a row of the timeline for each layer, one after the other, pooling with its sums", () => {
    const { rows } = core.timeline;
    expect(rows.map(({ kind }) => kind)).toEqual(["input", "layer", "layer", "layer", "output"]);
    const spans = rows.flatMap((row) => row.spans);
    for (const [index, { from, to }] of spans.entries()) {
      expect(to).toBeGreaterThanOrEqual(from);
      expect(from).toBeGreaterThan(spans[index - 1]?.to ?? Number.NEGATIVE_INFINITY);
    }
    expect(spans.at(-1)?.from).toBe(core.latencyCycles);
  });

  it("says of all its registers but those of the row what they are for", () => {
    const rules = core.sections.map(({ cells }) => new RegExp(cells));
    const declared = core.verilog.matchAll(
      /^\s*(?:\(\*.*?\*\) )?reg(?: signed)?(?: \[[^\]]*\])? ([^;]+);/gm,
    );
    const names = [...declared].flatMap(([, list = ""]) =>
      list.split(",").map((each) => each.trim().replace(/[ [].*$/s, "")),
    );
    const rest = [...new Set(names)].filter((name) => !rules.some((rule) => rule.test(name)));
    expect(names.length).toBeGreaterThan(50);
    expect(rest.filter((name) => !/^(in_|idle$|finished$)/.test(name))).toEqual([]);
  });
});
