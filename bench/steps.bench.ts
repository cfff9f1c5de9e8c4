import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCosts } from "./serving/costs";
import { grpcRequestOf, loadGrpc } from "./serving/grpc-load";
import { loadHttp, requestsOf } from "./serving/http-load";
import type { Measure } from "./serving/measure";
import { inputName, modelName, row } from "./serving/model";
import { startRole, stopRoles } from "./serving/roles";
import type { Form } from "./serving/server";
import { readSteps, stepNames } from "./serving/steps";
import { hasWrk, loadWithWrk } from "./serving/wrk-load";

/**
 * Where the gateway's thread spends a request: its microseconds by step, from a profile of V8 under load, as JSON, as binary
 * and over gRPC with 16 clients; `-- 1` takes another number. Beside them the processor time that the gateway and the
 * model's process take for a request, that of the kernel too. The profile itself costs some of it.
 */
const clients = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 16);
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
const [json, binary] = requestsOf(modelName, inputName, row);
const message = grpcRequestOf(modelName, inputName, row);
const loadOverHttp = hasWrk ? loadWithWrk : loadHttp;

interface Result {
  readonly stepUs: ReadonlyMap<string, number>;
  readonly perRequestUs: string;
}

const forms: readonly Form[] = ["JSON", "binary", "gRPC"];
const results = new Map<Form, Result>();
for (const form of forms) results.set(form, await profileOf(form));

console.log(`microseconds of the gateway's thread for a request, ${clients} clients`);
console.log(`${"".padEnd(30)}${forms.map((form) => form.padStart(9)).join("")}`);
for (const step of [...stepNames, "together"]) {
  const cells = forms.map((form) => (results.get(form)?.stepUs.get(step) ?? 0).toFixed(1));
  console.log(`${step.padEnd(30)}${cells.map((cell) => cell.padStart(9)).join("")}`);
}
for (const form of forms)
  console.log(`${form}: processor time for a request: ${results.get(form)?.perRequestUs}`);

async function profileOf(form: Form): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "bw-steps-"));
  try {
    const socket = join(folder, "s");
    const board = await startRole("board", [socket]);
    const gateway = await startRole(
      "gateway",
      [socket],
      ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=200"],
    );
    const costs = startCosts([gateway, board].flatMap(({ child }) => child.pid ?? []));
    const { perSecond } = await load(form, gateway.port, gateway.grpcPort ?? 0);
    const processes = costs().filter(({ cores }) => cores > 0.005);
    await stopRoles([gateway, board]);
    const file = readdirSync(folder).find((name) => name.endsWith(".cpuprofile"));
    if (!file) throw new Error("the gateway left no profile");
    const requests = perSecond * seconds;
    const stepUs = new Map(
      Array.from(readSteps(join(folder, file)), ([step, us]) => [step, us / requests]),
    );
    stepUs.set(
      "together",
      [...stepUs.values()].reduce((sum, us) => sum + us, 0),
    );
    const perRequestUs = processes
      .map(({ name, cores }) => `${name} ${((cores / perSecond) * 1e6).toFixed(1)} µs`)
      .join(", ");
    return { stepUs, perRequestUs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function load(form: Form, port: number, grpcPort: number): Promise<Measure> {
  if (form === "gRPC") return loadGrpc({ message, port: grpcPort, clients, seconds });
  return loadOverHttp({ ...(form === "JSON" ? json : binary), port, clients, seconds });
}
