import type { Engine, Plan, SimulationStep, Step, ToolStep, Variant } from "@/engines";
import { fail, isAppError } from "@/lib/common/errors";
import { fault, runThread } from "@/lib/server/process";
import {
  openProduct,
  runTool,
  type Sandbox,
  type StepCache,
  stepKey,
  type Toolchain,
} from "../tools";
import { type AttemptContext, logOutput, say } from "./attempt-context";
import { readTiming } from "./read-products";
import type { SimulationTask } from "./simulation.thread";

export interface ExecuteOptions {
  readonly plan: Plan;
  readonly engine: Engine;
  readonly toolchain: Toolchain;
  readonly sandbox: Sandbox;
  readonly cache: StepCache;
}

const faults = { yosys: "worker.in-yosys", "nextpnr-ice40": "worker.in-nextpnr" } as const;

/** Writes a plan's files and runs its common steps: what does not depend on the clock, such as the simulated core. */
export async function runCommonSteps(
  context: AttemptContext,
  options: ExecuteOptions,
): Promise<void> {
  await writeFiles(context, options.plan.files);
  for (const step of options.plan.steps) await runStep(context, step, options);
}

/**
 * Runs the plan's variants in order until one meets its clock. Afterwards its products lie in the work folder.
 *
 * @param prove Called with a variant as soon as its netlist can be simulated, before the steps after that; and when its
 *   bitstream was read back, where that is planned.
 * @returns That variant; null where the plan has none.
 * @throws {AppError} of the tools and of `prove`; `TIMING_NOT_MET` when the last variant fails too.
 */
export async function runVariants(
  context: AttemptContext,
  options: ExecuteOptions,
  prove: (variant: Variant, level: "netlist" | "bitstream") => Promise<void>,
): Promise<Variant | null> {
  const { plan } = options;
  const missed: string[] = [];
  for (const variant of plan.variants) {
    if (plan.variants.length > 1) say(context, `Trying ${variant.name}.`);
    await writeFiles(context, variant.files);
    for (const step of variant.steps) {
      await runStep(context, step, options);
      if (step.produces.includes(variant.netlistSimulation)) await prove(variant, "netlist");
    }
    const { met, achievedMhz } = await readTiming(context, options, variant);
    if (achievedMhz === null) return variant;
    const reached = `${achievedMhz.toFixed(2)} MHz reached, ${variant.clockHz / 1e6} MHz wanted`;
    if (met) {
      say(context, `Timing is met at ${variant.name}: ${reached}.`);
      if (variant.readBack) {
        for (const step of variant.readBack.steps) await runStep(context, step, options);
        await prove(variant, "bitstream");
      }
      return variant;
    }
    missed.push(reached);
    say(context, `Timing is not met at ${variant.name}: ${reached}.`, "warning");
  }
  if (missed.length > 0) {
    throw fail("TIMING_NOT_MET", `No clock of the board is met: ${missed.at(-1)}.`, {
      hint: "A smaller model, or one with fewer lanes, closes timing more easily.",
      details: { tried: missed },
    });
  }
  return null;
}

function runStep(context: AttemptContext, step: Step, options: ExecuteOptions): Promise<void> {
  return step.kind === "tool"
    ? runToolStep(context, step, options)
    : runSimulationStep(context, step);
}

async function writeFiles({ work }: AttemptContext, files: Plan["files"]): Promise<void> {
  for (const [name, content] of files) await work.write(name, content);
}

async function runToolStep(
  context: AttemptContext,
  step: ToolStep,
  { toolchain, sandbox, cache }: Pick<ExecuteOptions, "toolchain" | "sandbox" | "cache">,
): Promise<void> {
  const { stages, signal, work } = context;
  stages.enter(step.stage);
  const tool = await toolchain.getTool(step.command);
  say(context, `${step.name}: ${[step.command, ...step.args].join(" ")}`);
  const key = await stepKey(work.path, { ...step, tool });
  if (await cache.take(work.path, key, step.produces)) {
    say(context, `${step.name}: the products of an equal step are taken.`);
    for (const name of step.produces) openProduct(work.path, name).close();
    return;
  }
  const output = logOutput(context, step.stage);
  let first = true;
  try {
    await runTool({
      tool,
      sandbox,
      work: work.path,
      args: step.args,
      reads: step.reads,
      produces: step.produces,
      timeoutS: step.timeoutS,
      signal,
      onOutput: (stream, bytes) => {
        output.write(stream, bytes);
        if (first && step.command in faults) fault(faults[step.command as keyof typeof faults]);
        first = false;
      },
    });
  } finally {
    output.end();
  }
  for (const name of step.produces) openProduct(work.path, name).close();
  await cache.keep(work.path, key, step.produces);
}

async function runSimulationStep(context: AttemptContext, step: SimulationStep): Promise<void> {
  const { stages, signal, work } = context;
  stages.enter(step.stage);
  const [product = ""] = step.produces;
  const task: SimulationTask = {
    work: work.path,
    netlist: step.netlist,
    top: step.top,
    signals: step.signals,
    product,
  };
  const started = performance.now();
  const { cells, bytes } = await runThread<{ cells: number; bytes: number }>(
    "workers/build/stages/simulation.thread",
    task,
    { signal, timeoutMs: step.timeoutS * 1000 },
  ).catch((error: unknown) => {
    const late = isAppError(error) && error.reason === "DEADLINE_EXCEEDED";
    throw late ? fail("TOOL_TIMED_OUT", `${step.name} ran longer than ${step.timeoutS} s.`) : error;
  });
  const ms = Math.round(performance.now() - started);
  say(context, `${step.name}: ${cells} cells became ${bytes} bytes of WebAssembly in ${ms} ms.`);
}
