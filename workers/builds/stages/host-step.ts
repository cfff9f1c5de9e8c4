import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { HostStep } from "@/engines";
import type { StageName } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import type { Outcome } from "@/proto/bond";
import type { BondHost } from "../hosts";
import { type AttemptContext, logOutput, say } from "./attempt-context";

/** What begins a stage of ours, in a build server's words. */
const stagesOf: readonly (readonly [words: RegExp, stage: StageName])[] = [
  [/^Before exec command: make design_implementation/, "place"],
  [/^Before exec command: make design_bitstream/, "pack"],
];
const parts = ["bit", "hwh", "json"] as const;
const networkPath = "network-of-the-host";

/**
 * Has a build server make a firmware, and fetches it. One that is in its store already, by an earlier attempt, is taken.
 *
 * @throws {AppError} `SOURCE_NOT_FOUND`, `UPSTREAM_MISMATCH`; `TOOL_FAILED` in the server's words; as `BondHost` does.
 */
export async function runHostStep(
  context: AttemptContext,
  step: HostStep,
  host: BondHost | null,
): Promise<void> {
  if (!host) throw fail("TOOL_MISSING", "This build worker knows no build server.");
  context.stages.enter(step.stage);
  await requireNetwork(context, step, host);
  if (await fetchFirmware(context, step, host)) {
    say(context, `${nameOf(step)} was made before: it is taken from the build server's store.`);
    return;
  }
  const { asked } = step;
  say(context, `The build server ${host.place.address} is asked for ${nameOf(step)}.`);
  const heard = await listen(context, step, host);
  requireMade(heard, step);
  if (await fetchFirmware(context, step, host)) return;
  throw fail(
    "UPSTREAM_MISMATCH",
    `The build server says that it made ${nameOf(step)}, and its store has no such files.`,
    {
      hint: "See that BOND_BUILD_STORE is the store that the build server writes to.",
      details: { uuid: asked.uuid },
    },
  );
}

const nameOf = ({ asked }: HostStep): string => `${asked.uuid}_firmware`;

/** The server knows the network by a name: what lies there must be what was deployed. */
async function requireNetwork(
  { work, signal }: AttemptContext,
  { source }: HostStep,
  host: BondHost,
): Promise<void> {
  const path = join(work.path, networkPath);
  const where = `${source.bucket}/${source.name}`;
  try {
    const digest = await host.fetchNetwork(source, { path, signal });
    if (digest === source.digest) return;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw fail("SOURCE_NOT_FOUND", `The build server's store has no ${where}.`, {
      field: "model.url",
      hint: `A build server reads networks from its own store alone: put the file there under this name.`,
    });
  } finally {
    await rm(path, { force: true });
  }
  throw fail("UPSTREAM_MISMATCH", `The build server's store has another file as ${where}.`, {
    hint: "Put the network that you deploy into that store, or deploy the file that lies there.",
  });
}

/** What the server says, each thing in the log and in the stage that it belongs to. */
async function listen(context: AttemptContext, step: HostStep, host: BondHost): Promise<Outcome[]> {
  const heard: Outcome[] = [];
  await host.build(step.asked, {
    signal: context.signal,
    timeoutMs: step.timeoutS * 1000,
    heard(said) {
      heard.push(said);
      const stage = stagesOf.find(([words]) => words.test(said.text))?.[1];
      if (stage) context.stages.enter(stage);
      const output = logOutput(context, context.stages.current ?? step.stage);
      void output.write(said.success ? "stdout" : "stderr", Buffer.from(`${said.text}\n`));
      output.end();
    },
  });
  return heard;
}

/** The original goes on talking after a failure, and its last word is a name only where all went well. */
function requireMade(heard: readonly Outcome[], step: HostStep): void {
  const failure = heard.find(({ success }) => !success);
  if (failure) {
    const words = showText(cutText(failure.text, 300)) || "it does not say why";
    throw fail("TOOL_FAILED", `The build server failed: ${words}`, {
      hint: "Its own log says more.",
    });
  }
  const last = heard.at(-1)?.text;
  if (last === nameOf(step)) return;
  throw fail(
    "UPSTREAM_MISMATCH",
    last === undefined
      ? "The build server ended without a word."
      : `The build server ended with ${showText(cutText(last, 120))}, which is not the firmware that it was asked for.`,
    { hint: "Its own log says how far it came. Repeat the build." },
  );
}

/** Whether all files of the firmware are there; they lie in the work folder then. */
async function fetchFirmware(
  { work, signal }: AttemptContext,
  step: HostStep,
  host: BondHost,
): Promise<boolean> {
  try {
    for (const part of parts) {
      const path = join(work.path, step.firmware[part]);
      await rm(path, { force: true });
      await host.fetchPart(nameOf(step), part, { path, signal });
    }
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  isAppError(error) && error.reason === "SOURCE_NOT_FOUND";
