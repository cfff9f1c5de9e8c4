import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getEngine, type Plan, type Products, type Step, type Variant } from "@/engines";
import type { SectionGroup } from "@/lib/common/contract";
import { openWorkbench, type Workbench } from "@/tests/hardware/support/plan-runner";
import { measureAgainstFloats } from "./measure-against-floats";
import type { PlannedModel } from "./plan-model";
import type { Outcome } from "./row";

/** Rows that each netlist answers: the extremes, and others spread over the vectors. */
const provenRows = 5;

const isForProof = ({ stage }: Step) => stage === "simulate";

/**
 * Runs a plan's variants until one meets its clock, and proves that one's netlist. A variant that misses its clock is not
 * proven, so that its time goes to the next.
 */
export async function buildPlan(
  planned: PlannedModel,
  versions: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const engine = getEngine("boardwalk");
  const { plan } = planned;
  const bench = await openWorkbench();
  try {
    for (const [name, content] of plan.files) await bench.write(name, content);
    let toolsS = await seconds(async () => {
      for (const step of plan.synthesis) await bench.step(step);
    });
    let reached = "";
    for (const variant of plan.variants) {
      for (const [name, content] of variant.files) await bench.write(name, content);
      toolsS += await seconds(() => runSteps(bench, variant, (step) => !isForProof(step)));
      const products = productsIn(bench.folder, variant);
      const { met, achievedMhz } = engine.timing(plan, products);
      if (!met) {
        reached = `${reached}${variant.clockHz / 1e6} MHz missed at ${achievedMhz?.toFixed(1)}; `;
        continue;
      }
      let proven = 0;
      const proofS = await seconds(async () => {
        await runSteps(bench, variant, isForProof);
        proven = await bench.prove(plan, variant, provenRows);
      });
      const { resources, cells = {}, sections = [] } = engine.outcome(plan, products).report;
      const used = (id: string) => resources.find((each) => each.id === id)?.used ?? 0;
      const lutIn = (group: SectionGroup) =>
        sections
          .filter((each) => each.group === group)
          .reduce((sum, { uses }) => sum + (uses["lut"] ?? 0), 0);
      return {
        kind: "built",
        built: {
          lut: used("lut"),
          bram: used("bram"),
          dsp: used("dsp"),
          cells,
          lutOf: { core: lutIn("core"), shell: lutIn("shell"), board: lutIn("board") },
          cycles: plan.core?.latencyCycles ?? 0,
          achievedMhz: achievedMhz ?? 0,
          clockMhz: variant.clockHz / 1e6,
          provenRows: proven,
          toolsS,
          proofS,
          versions,
          accuracy: await measureAgainstFloats(planned),
        },
      };
    }
    return { kind: "failed", why: `${reached}no clock is met` };
  } catch (error) {
    return { kind: "failed", why: whyOf(error) };
  } finally {
    await bench.close();
  }
}

async function runSteps(
  bench: Workbench,
  { steps }: Variant,
  isWanted: (step: Step) => boolean,
): Promise<void> {
  for (const step of steps) if (isWanted(step)) await bench.step(step);
}

async function seconds(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}

function productsIn(folder: string, variant: Variant): Products {
  return {
    variant,
    text: (path) => {
      try {
        return readFileSync(join(folder, path), "utf8");
      } catch {
        return null;
      }
    },
  };
}

/** What tools read of a plan: equal text, equal results. */
export function toolInputs({ files, variants }: Plan): string {
  const named = variants.map(({ clockHz, steps }) => [clockHz, steps.map(({ name }) => name)]);
  return JSON.stringify([named, [...files].map(([name, content]) => [name, content.toString()])]);
}

/** A tool's last words, or what an error says. */
function whyOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  return (lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? "").slice(0, 200);
}
