import { z } from "zod";
import type {
  DeriveStep,
  Engine,
  FillStep,
  Outcome,
  Plan,
  SimulationStep,
  Step,
  ToolStep,
  Variant,
} from "@/engines";
import type { ProofLevel, StageName } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { hasKey } from "@/lib/common/records";
import { showText } from "@/lib/common/text";
import { fault, runThread } from "@/lib/server/process";
import type { BondHost } from "../hosts";
import {
  type AlertWatch,
  openProduct,
  readProduct,
  runTool,
  type Sandbox,
  type StepCache,
  stepKey,
  type Tool,
  type Toolchain,
  type ToolLimits,
  watchAlerts,
} from "../tools";
import { type AttemptContext, logOutput, say } from "./attempt-context";
import type { DeriveTask } from "./derive.thread";
import type { FillTask } from "./fill.thread";
import { runHostStep } from "./host-step";
import { readVariant, type VariantProducts } from "./read-variant";
import { sideBySide } from "./side-by-side";
import type { SimulationTask } from "./simulation.thread";

export interface ExecuteOptions {
  readonly plan: Plan;
  readonly engine: Engine;
  readonly toolchain: Toolchain;
  readonly sandbox: Sandbox;
  readonly cache: StepCache;
  /** The build server that is asked, where this worker knows one. */
  readonly host?: BondHost | null;
  /** Whether what reads a bitstream back is here. */
  readonly checks: boolean;
  /** Of the tools that the plan's digest names. */
  readonly toolVersions: Readonly<Record<string, string>>;
  readonly limits?: Partial<ToolLimits>;
}

const maxProblemBytes = 65_536;
const faults = { yosys: "worker.in-yosys", "nextpnr-ice40": "worker.in-nextpnr" } as const;

/** Writes a plan's files and runs its common steps: what does not depend on the clock, such as the simulated core. */
export async function runCommonSteps(
  context: AttemptContext,
  options: ExecuteOptions,
): Promise<void> {
  await writeFiles(context, options.plan.files);
  for (const step of options.plan.steps) await runStep(context, step, options);
}

/** Proves a variant at a level, in the stages of the context. */
type Prove = (
  context: AttemptContext,
  variant: Variant,
  level: Exclude<ProofLevel, "rtl">,
) => Promise<void>;

/** The variant that meets its clock, and what the engine says of it. */
export interface Finished {
  readonly variant: Variant;
  readonly outcome: Outcome;
}

/**
 * Synthesises once, then runs the plan's variants in order until one meets its clock. Afterwards its products lie in the work folder.
 *
 * @param prove Called with a variant as soon as its netlist can be simulated, while that is placed; and when its bitstream
 *   was read back, where that is planned.
 * @returns Null where the plan has no variants.
 * @throws {AppError} of the tools and of `prove`; `TIMING_NOT_MET` when the last variant fails too.
 */
export async function runVariants(
  context: AttemptContext,
  options: ExecuteOptions,
  prove: Prove,
): Promise<Finished | null> {
  const { plan } = options;
  const missed: string[] = [];
  for (const step of plan.synthesis) await runStep(context, step, options);
  for (const variant of plan.variants) {
    if (plan.variants.length > 1) say(context, `Trying ${variant.name}.`);
    await writeFiles(context, variant.files);
    context.stages.tryClock(variant.clockHz);
    const { timing, outcome } = await runVariant(context, { ...options, variant, prove });
    const { achievedMhz } = timing;
    if (achievedMhz !== null) context.stages.judgeClock({ achievedMhz, isMet: outcome !== null });
    const reached = `${achievedMhz?.toFixed(2)} MHz reached, ${variant.clockHz / 1e6} MHz wanted`;
    if (!outcome) {
      missed.push(reached);
      say(context, `Timing is not met at ${variant.name}: ${reached}.`, "warning");
      continue;
    }
    if (achievedMhz !== null) {
      say(context, `Timing is met at ${variant.name}: ${reached}.`);
      if (variant.readBack && options.checks) {
        await readBack(context, variant, options);
        await prove(context, variant, "bitstream");
      }
    }
    context.stages.endTry();
    return { variant, outcome };
  }
  if (missed.length > 0) {
    throw fail("TIMING_NOT_MET", `No clock of the board is met: ${missed.at(-1)}.`, {
      hint: "A smaller model, or one with fewer lanes, closes timing more easily.",
      details: { tried: missed },
    });
  }
  return null;
}

/** Takes the packed bitstream in the work folder apart again, down to what can be simulated. */
export async function readBack(
  context: AttemptContext,
  variant: Variant,
  options: ExecuteOptions,
): Promise<void> {
  for (const step of variant.readBack?.steps ?? []) await runStep(context, step, options);
}

/** Fills in what a variant decides; then its netlist is simulated and proven while it is placed and packed. */
async function runVariant(
  context: AttemptContext,
  options: ExecuteOptions & { readonly variant: Variant; readonly prove: Prove },
): Promise<VariantProducts> {
  const { variant, prove } = options;
  const steps = stepsByPart(variant);
  const run = async (context: AttemptContext, steps: readonly Step[]) => {
    for (const step of steps) await runStep(context, step, options);
  };
  const proveSimulations = async (context: AttemptContext) => {
    for (const step of steps.simulate) {
      await runStep(context, step, options);
      if (step.produces.includes(variant.netlistSimulation))
        await prove(context, variant, "netlist");
    }
    await prove(context, variant, "shell");
  };
  await run(context, steps.synthesise);
  if (steps.place.length === 0) {
    await proveSimulations(context);
    return await readVariant(context, options, variant);
  }
  return await sideBySide(
    context,
    async (context) => {
      await run(context, steps.place);
      return await readVariant(context, options, variant);
    },
    proveSimulations,
  );
}

/** Steps up to the netlist; those that simulate it; and those from it to the bitstream. The last two need only the first. */
function stepsByPart({ steps }: Variant) {
  const of = (...stages: readonly StageName[]) =>
    steps.filter(({ stage }) => stages.includes(stage));
  return { synthesise: of("synthesise"), simulate: of("simulate"), place: of("place", "pack") };
}

function runStep(context: AttemptContext, step: Step, options: ExecuteOptions): Promise<void> {
  switch (step.kind) {
    case "tool":
      return runToolStep(context, step, options);
    case "fill-blanks":
      return runFillStep(context, step);
    case "netlist-to-wasm":
      return runSimulationStep(context, step);
    case "derive":
      return runDeriveStep(context, step, options);
    case "host":
      return runHostStep(context, step, options.host ?? null);
  }
}

/** Writes a plan's files into the work folder, over whatever lies there. */
export async function writeFiles({ work }: AttemptContext, files: Plan["files"]): Promise<void> {
  for (const [name, content] of files) await work.write(name, content);
}

async function runToolStep(
  context: AttemptContext,
  step: ToolStep,
  {
    toolchain,
    sandbox,
    cache,
    limits,
    toolVersions,
  }: Pick<ExecuteOptions, "toolchain" | "sandbox" | "cache" | "limits" | "toolVersions">,
): Promise<void> {
  const { stages, work } = context;
  stages.enter(step.stage);
  const tool = await toolchain.getTool(step.command);
  const planned = toolVersions[step.command] ?? tool.version;
  if (tool.version !== planned) {
    throw fail(
      "TOOL_FAILED",
      `${step.command} was replaced while the build ran: ${planned} was planned, ${tool.version} is here.`,
      { hint: "Repeat the build: it is planned for the new one." },
    );
  }
  say(context, `${step.name}: ${[step.command, ...step.args].join(" ")}`);
  const key = await stepKey(work.path, { ...step, tool });
  // What is left in a folder has no names beforehand, so it is not kept.
  const isKept = step.folder === undefined;
  if (isKept && (await cache.take(work.path, key, step.produces))) {
    say(context, `${step.name}: the products of an equal step are taken.`);
    for (const name of step.produces) openProduct(work.path, name).close();
    return;
  }
  await callTool(context, step, { tool, sandbox, ...(limits ? { limits } : {}) });
  for (const name of step.produces) openProduct(work.path, name).close();
  if (isKept) await cache.keep(work.path, key, step.produces);
}

/** Of a product that is printed: lists, never models. */
const mostSaidBytes = 16 * 2 ** 20;

/** Runs the tool of a step, writes down what it says, and fails where it says that it failed. */
async function callTool(
  context: AttemptContext,
  step: ToolStep,
  { tool, sandbox, limits }: Pick<ExecuteOptions, "sandbox" | "limits"> & { readonly tool: Tool },
): Promise<void> {
  const { signal, work } = context;
  const output = logOutput(context, step.stage);
  const alerts = step.alert === undefined ? null : watchAlerts(step.alert);
  const said: Buffer[] = [];
  let saidBytes = 0;
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
      ...(step.folder === undefined ? {} : { folder: step.folder }),
      ...(limits ? { limits } : {}),
      signal,
      onOutput: async (stream, bytes) => {
        if (first && hasKey(faults, step.command)) fault(faults[step.command]);
        first = false;
        alerts?.see(stream, bytes);
        if (step.stdout !== undefined && stream === "stdout") {
          saidBytes += bytes.length;
          if (saidBytes <= mostSaidBytes) said.push(bytes);
        }
        await output.write(stream, bytes);
      },
    });
  } catch (error) {
    throw alerts ? alerted(step, alerts, error) : explained(error, work.path, step);
  } finally {
    output.end();
  }
  const alert = alerts?.first() ?? null;
  if (alert !== null) throw toolSaid(step, alert);
  if (saidBytes > mostSaidBytes) {
    throw fail("OUTPUT_INVALID", `${step.command} printed more than ${mostSaidBytes} bytes.`);
  }
  if (step.stdout !== undefined) await work.write(step.stdout, Buffer.concat(said));
}

/** What a tool said of its failure tells more than its status. */
function alerted(step: ToolStep, alerts: AlertWatch, error: unknown): unknown {
  const alert = alerts.first();
  const isPlain = isAppError(error) && error.reason === "TOOL_FAILED";
  return isPlain && alert !== null ? toolSaid(step, alert) : error;
}

const toolSaid = ({ name, command }: ToolStep, alert: string) =>
  fail("TOOL_FAILED", `${command} failed at the ${name}: ${alert}`, {
    hint: "Its last lines in the log say more.",
  });

async function runDeriveStep(
  context: AttemptContext,
  step: DeriveStep,
  { engine }: Pick<ExecuteOptions, "engine">,
): Promise<void> {
  context.stages.enter(step.stage);
  const { task, given, reads, folder, produces } = step;
  const work = context.work.path;
  const asked: DeriveTask = {
    ...{ engine: engine.id, work, task, given, reads, produces },
    ...(folder === undefined ? {} : { folder }),
  };
  await inThread<void>(context, "workers/builds/stages/derive.thread", asked, step);
  say(context, `${step.name}: ${produces.join(", ")} made.`);
}

const problemSchema = z.object({
  reason: z.enum([
    "MODEL_INVALID",
    "MODEL_NOT_ALLOWED",
    "MODEL_TOO_LARGE",
    "MODEL_UNSUPPORTED",
    "OPERATOR_UNSUPPORTED",
    "OPTION_INVALID",
    "TOOL_FAILED",
  ]),
  message: z.string().min(1).max(2000),
  hint: z.string().max(2000).optional(),
});

/** What a tool itself says of its failure, where it does; else the failure. */
function explained(error: unknown, work: string, { explains }: ToolStep): unknown {
  if (explains === undefined || !isAppError(error) || error.reason !== "TOOL_FAILED") return error;
  try {
    const text = readProduct(work, explains, maxProblemBytes).toString("utf8");
    const { reason, message, hint } = problemSchema.parse(JSON.parse(text));
    return fail(reason, showText(message), hint === undefined ? {} : { hint: showText(hint) });
  } catch {
    return error;
  }
}

async function runSimulationStep(context: AttemptContext, step: SimulationStep): Promise<void> {
  const { stages, work } = context;
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
  const { cells, bytes } = await inThread<{ cells: number; bytes: number }>(
    context,
    "workers/builds/stages/simulation.thread",
    task,
    step,
  );
  const ms = Math.round(performance.now() - started);
  say(context, `${step.name}: ${cells} cells became ${bytes} bytes of WebAssembly in ${ms} ms.`);
}

async function runFillStep(context: AttemptContext, step: FillStep): Promise<void> {
  context.stages.enter(step.stage);
  const { mapped, top, filling, netlist, cells } = step;
  const task: FillTask = { work: context.work.path, mapped, top, filling, netlist, cells };
  const blanks = await inThread<number>(context, "workers/builds/stages/fill.thread", task, step);
  say(context, `${step.name}: ${blanks} blanks of ${mapped} are filled.`);
}

function inThread<Answer>(
  { signal }: AttemptContext,
  module: string,
  task: unknown,
  { name, timeoutS }: Step,
): Promise<Answer> {
  return runThread<Answer>(module, task, { signal, timeoutMs: timeoutS * 1000 }).catch(
    (error: unknown) => {
      const late = isAppError(error) && error.reason === "DEADLINE_EXCEEDED";
      throw late ? fail("TOOL_TIMED_OUT", `${name} ran longer than ${timeoutS} s.`) : error;
    },
  );
}
