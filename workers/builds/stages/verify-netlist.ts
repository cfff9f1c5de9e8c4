import { getBoardModel, powerOnCycles } from "@/boards";
import type { Plan, Variant } from "@/engines";
import type { ProvenLevel } from "@/lib/common/contract";
import { runThread } from "@/lib/server/process";
import { type AttemptContext, say } from "./attempt-context";
import type { LinkTask } from "./link.thread";
import type { SerialLineTask } from "./serial-line";
import type { Verified } from "./verify";

interface Candidate {
  readonly plan: Plan;
  readonly variant: Variant;
}

const limitMs = 1_800_000;
/** A line is slow, and so are single cells: of those, as many vectors as there is time for. */
const rowsOf = {
  shell: { most: 16, least: 16 },
  netlist: { most: 256, least: 3 },
  bitstream: { most: 256, least: 3 },
} as const;

/**
 * Sends vectors through the simulated netlist of a variant, the one that will be placed, and through all of its top.
 *
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export async function verifyNetlist(
  context: AttemptContext,
  candidate: Candidate,
  verified: Verified,
): Promise<ProvenLevel> {
  const { netlistSimulation } = candidate.variant;
  const vectors = await verifyLine(context, candidate, verified, {
    level: "netlist",
    simulation: netlistSimulation,
  });
  const through = candidate.plan.baud === undefined ? "AXI" : "its serial line";
  say(
    context,
    `The synthesised netlist answers ${vectors} vectors as the software model does, through ${through}.`,
  );
  return { level: "netlist", vectors };
}

/**
 * The same with the design that the finished bitstream holds.
 *
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export async function verifyBitstream(
  context: AttemptContext,
  candidate: Candidate,
  verified: Pick<Verified, "outputs">,
): Promise<ProvenLevel> {
  const { readBack } = candidate.variant;
  if (!readBack) throw new TypeError("a bitstream that is not read back");
  const level = "bitstream";
  const vectors = await verifyLine(context, candidate, verified, {
    level,
    simulation: readBack.simulation,
  });
  say(context, `The bitstream, read back, answers ${vectors} vectors as the software model does.`);
  return { level, vectors };
}

/**
 * Sends vectors through the simulated shell, where boards will run that.
 *
 * @returns Undefined where boards run the core alone.
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export async function verifyShell(
  context: AttemptContext,
  candidate: Candidate,
  verified: Verified,
): Promise<ProvenLevel | undefined> {
  const shell = candidate.plan.products.find(({ role }) => role === "simulation-shell");
  if (!shell) return undefined;
  const vectors = await verifyLine(context, candidate, verified, {
    level: "shell",
    simulation: shell.path,
  });
  say(context, `${vectors} vectors went through the serial shell too.`);
  return { level: "shell", vectors };
}

async function verifyLine(
  context: AttemptContext,
  { plan, variant: { clockHz } }: Candidate,
  { outputs }: Pick<Verified, "outputs">,
  design: Pick<SerialLineTask, "level" | "simulation">,
): Promise<number> {
  const { baud, core, vectors, digest } = plan;
  if (!core || !outputs) throw new TypeError("firmware without a core");
  context.stages.enter("verify");
  const proof = {
    ...design,
    work: context.work.path,
    planDigest: digest,
    core,
    vectors,
    outputs,
    rows: {
      ...rowsOf[design.level],
      withinMs: design.level === "shell" ? limitMs : context.proofMs,
    },
  };
  const task: LinkTask =
    baud === undefined
      ? { ...proof, link: "axi" }
      : {
          ...proof,
          link: "uart",
          clocksPerBit: Math.round(clockHz / baud),
          powerOnCycles: powerOnCycles(getBoardModel(plan.boardModel)),
        };
  return await runThread<number>("workers/builds/stages/link.thread", task, {
    signal: context.signal,
    timeoutMs: limitMs,
  });
}
