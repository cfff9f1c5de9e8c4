import type { z } from "zod";
import { type MachineChecks, machineChecksSchema } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { portalEnv } from "@/lib/server/env";
import { runChild } from "@/lib/server/process";

const limitMs = 60_000;
const mostBytes = 1 << 20;

const outputSchema = machineChecksSchema.pick({ ok: true, checks: true });

let running: Promise<MachineChecks> | undefined;

/**
 * What `npm run doctor -- --json` says of the machine that the portal runs on. Those who ask while it runs get the same answer.
 *
 * @throws {AppError} `INTERNAL` where its words cannot be read; `DEADLINE_EXCEEDED`
 */
export function checkMachine(): Promise<MachineChecks> {
  running ??= run().finally(() => {
    running = undefined;
  });
  return running;
}

async function run(): Promise<MachineChecks> {
  const startedAt = performance.now();
  const at = new Date().toISOString();
  let said = "";
  const { end } = await runChild({
    argv: [
      process.execPath,
      "--no-warnings",
      [process.cwd(), "scripts", "doctor.mjs"].join("/"),
      "--json",
    ],
    cwd: process.cwd(),
    env: variables(),
    wallMs: limitMs,
    onOutput: (stream, bytes) => {
      if (stream === "stdout" && said.length < mostBytes) said += bytes.toString();
    },
  });
  if (end !== null) throw fail("DEADLINE_EXCEEDED", "Looking at the machine took over a minute.");
  return { ...parse(said), at, tookMs: performance.now() - startedAt };
}

/** As much of the portal's settings as decides what is looked for; of addresses only whether they are set. */
function variables(): Record<string, string> {
  const env = portalEnv();
  return Object.fromEntries(
    Object.entries({
      PATH: env.PATH,
      HOME: env.BOARDWALK_HOME,
      BOARDWALK_HOME: env.BOARDWALK_HOME,
      PORTAL_PORT: String(env.PORTAL_PORT),
      GATEWAY_HTTP_PORT: new URL(env.GATEWAY_URL).port || undefined,
      DATABASE_URL: env.DATABASE_URL,
      REDIS_URL: env.REDIS_URL,
      S3_ENDPOINT: env.S3_ENDPOINT,
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function parse(text: string): z.infer<typeof outputSchema> {
  try {
    return outputSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw fail("INTERNAL", "The checks of the machine could not be read.", {
      hint: "Run npm run doctor in a shell.",
      cause,
    });
  }
}
