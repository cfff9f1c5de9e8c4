import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "@/scripts/bundle.mjs";
import { openHome, root } from "@/scripts/lib/home.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { run } from "@/scripts/lib/run.mjs";
import { answers, startProcesses } from "@/scripts/lib/stack.mjs";
import { startStack } from "@/scripts/lib/start-stack.mjs";
import { processVariables } from "@/scripts/lib/variables.mjs";
import { startStores } from "@/scripts/setup/stores.mjs";
import { handOverSteps } from "./hand-over-steps";
import { linkStores, type StoreLinks } from "./store-links";

export type Variables = Readonly<Record<string, string>>;

/** A whole Boardwalk of its own: stores, processes, ports, data folder. */
export interface Installation {
  readonly home: ReturnType<typeof openHome>;
  readonly variables: Variables;
  readonly portalUrl: string;
  readonly gatewayUrl: string;
  readonly stores: Awaited<ReturnType<typeof startStores>>;
  /** What lies between processes and stores, in an installation that was started so. */
  readonly links: StoreLinks;
  readonly processes: ReturnType<typeof startProcesses>;
  /** Calls `/api/v1`; answers status and parsed body. */
  api(path: string, init?: RequestInit): Promise<{ status: number; body: never }>;
  stop(): Promise<void>;
}

/**
 * Starts one; `variables` win over the defaults of a test (short leases, short sweeps).
 *
 * @param steps `own`: the tools really run here, whatever other suites had made.
 * @param folder The data folder of an installation that was stopped and goes on; a new one otherwise.
 * @param copies Further processes by name (`gateway-2`), with the variables of each.
 * @param mostPauseMs The longest pause before a process that ended is started again: tests that kill often wait less.
 * @param isLinked Whether processes reach their stores through proxies, which can spoil their connections.
 */
export async function startInstallation(
  name: string,
  {
    variables: extra = {} as Variables,
    steps = "shared" as "shared" | "own",
    isLinked = false,
    folder = mkdtempSync(join(tmpdir(), `bw-${name}-`)),
    copies = {} as Readonly<Record<string, Variables>>,
    mostPauseMs = undefined as number | undefined,
  } = {},
): Promise<Installation> {
  const home = openHome(folder);
  const bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
  const before = { ...process.env };
  for (const variable of ["DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "STORAGE_DIR"]) {
    delete process.env[variable];
  }
  const stores = await startStores(home);
  Object.assign(process.env, before);
  const links = await linkStores(isLinked ? stores.variables : {});
  const [portal, gateway, grpc, metrics] = await Promise.all([1, 2, 3, 4].map(() => freePort()));
  const variables: Record<string, string> = {
    ...processVariables(home, stores, {
      TOOLS_DIR: process.env["TOOLS_DIR"] ?? join(root, ".boardwalk/tools"),
      PORTAL_PORT: String(portal),
      GATEWAY_HTTP_PORT: String(gateway),
      GATEWAY_GRPC_PORT: String(grpc),
      GATEWAY_METRICS_PORT: String(metrics),
    }),
    PORTAL_METRICS_PORT: "0",
    CONTROL_METRICS_PORT: "0",
    WORKER_METRICS_PORT: "0",
    BOARD_SERVER_METRICS_PORT: "0",
    LEASE_S: "3",
    RENEW_S: "0.5",
    SWEEP_S: "0.5",
    GRACE_S: "1",
    LOG_LEVEL: "info",
    // Every build would take half as long again: `tests/workers/proofs.test.ts` reads bitstreams back.
    PROOF_S: "0.1",
    READ_BACK: "off",
    ...(steps === "own" ? { STEP_CACHE_DIR: home.at("cache/steps") } : {}),
    ...links.variables,
    ...extra,
  };
  try {
    await run(process.execPath, [join(bundles, "scripts-entries-prepare.mjs")], {
      cwd: root,
      env: { ...home.env, NODE_ENV: "production", BOARDWALK_HOME: home.path, ...variables },
      logFile: home.logFile("prepare"),
      fix: "The test database could not be prepared.",
      timeoutMs: 120_000,
    });
    const told = { mostPauseMs };
    const processes = await startStack({
      home,
      bundles,
      variables,
      startProcesses,
      answers,
      copies,
      told,
    });
    const portalUrl = variables["PORTAL_URL"] as string;
    return {
      home,
      variables,
      portalUrl,
      gatewayUrl: variables["GATEWAY_URL"] as string,
      stores,
      links,
      processes,
      async api(path, init) {
        const answer = await fetch(`${portalUrl}/api/v1${path}`, {
          ...init,
          headers: {
            ...(typeof init?.body === "string" ? { "content-type": "application/json" } : {}),
            ...init?.headers,
          },
        });
        const text = await answer.text();
        return { status: answer.status, body: (text === "" ? null : JSON.parse(text)) as never };
      },
      async stop() {
        await processes.stopAll(8000);
        await links.close();
        await stores.stop();
        if (steps === "own") handOverSteps(home.at("cache/steps"));
        if (process.env["BOARDWALK_KEEP"] === undefined) {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    };
  } catch (error) {
    await stores.stop();
    throw error;
  }
}
