import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getEngine } from "@/engines";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { openWorkbench, type Workbench } from "../hardware/support/plan-runner";

// Boards whose bitstream needs a vendor's tool: everything up to the proven netlist, without that tool.

const engine = getEngine("boardwalk");
const rows = 5;

describe.each(["basys3", "kc705", "de10-nano", "pynq-z2", "zcu102"])(
  "iris-mlp on %s",
  { timeout: 900_000 },
  (id) => {
    const plan = engine.plan(planRequest("iris-mlp", id, { options: { architecture: "array" } }));
    let bench: Workbench;

    beforeAll(async () => {
      bench = await openWorkbench();
      for (const [name, content] of plan.files) await bench.write(name, content);
    });
    afterAll(() => bench.close());

    it("has a netlist that is proven, and an estimate of what it takes", async () => {
      const [variant] = plan.variants;
      if (!variant) throw new Error("the plan has no variant");
      for (const [name, content] of variant.files) await bench.write(name, content);
      for (const step of [...plan.synthesis, ...variant.steps]) await bench.step(step);
      expect(await bench.prove(plan, variant, rows)).toBe(rows);
      const cells = await bench.text("cells.json");
      const text = (name: string) => (name === "cells.json" ? cells : null);
      const { report } = engine.outcome(plan, { variant, text });
      expect(report.resources.map(({ id: resource }) => resource)).toEqual([
        "lut",
        "ff",
        "bram",
        "dsp",
      ]);
      for (const { used, available } of report.resources) {
        expect(used).toBeGreaterThan(0);
        expect(used).toBeLessThan(available / 10);
      }
      expect(report.achievedMhz).toBeUndefined();
      expect(report.bitstreamNeeds).toMatch(/^(Vivado|Quartus)$/);
    });
  },
);
