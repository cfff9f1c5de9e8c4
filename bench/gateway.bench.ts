import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { grpcRequestOf, loadGrpc } from "./serving/grpc-load";
import { loadHttp, requestsOf } from "./serving/http-load";
import type { Measure } from "./serving/measure";
import { inputName, modelName, row } from "./serving/model";
import { startRole, stopRoles } from "./serving/roles";

/**
 * Requests a second and latency of a 16-64-32-32-5 net on the CPU through the gateway and its board server, as JSON, as
 * binary and over gRPC, beside a bare Node server that runs the same net and checks nothing. Best of three; each server
 * and this load have a process of their own, on however many cores there are.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const folder = mkdtempSync(join(tmpdir(), "bw-gb-"));
const socket = join(folder, "s");

type Load = (target: { port: number; clients: number; seconds: number }) => Promise<Measure>;

const roles = [];
try {
  const board = await startRole("board", [socket]);
  const gateway = await startRole("gateway", [socket]);
  roles.push(gateway, board);
  const bare = await startRole("bare");
  roles.push(bare);
  const bareGrpc = await startRole("bare-grpc");
  roles.push(bareGrpc);
  const [json, binary] = requestsOf(modelName, inputName, row);
  const message = grpcRequestOf(modelName, inputName, row);
  const forms = [
    { form: "JSON", load: httpLoad(json), ours: gateway.port, theirs: bare.port },
    { form: "binary", load: httpLoad(binary), ours: gateway.port, theirs: bare.port },
    {
      form: "gRPC",
      load: (target: Parameters<Load>[0]) => loadGrpc({ ...target, message }),
      ours: gateway.grpcPort ?? 0,
      theirs: bareGrpc.port,
    },
  ];
  for (const { form, load, ours, theirs } of forms) {
    for (const clients of [1, 16, 64]) {
      const mine = await best(load, ours, clients);
      const other = await best(load, theirs, clients);
      const ratio = mine.perSecond / other.perSecond;
      console.log(
        `${form.padEnd(6)} ${String(clients).padStart(2)} clients: gateway ${show(mine)}; bare ${show(other)}; ratio ${ratio.toFixed(2)}`,
      );
    }
  }
} finally {
  await stopRoles(roles);
  rmSync(folder, { recursive: true, force: true });
}

function httpLoad(request: ReturnType<typeof requestsOf>[number] | undefined): Load {
  if (!request) throw new Error("there is no request");
  return (target) => loadHttp({ ...request, ...target });
}

async function best(load: Load, port: number, clients: number): Promise<Measure> {
  await load({ port, clients, seconds: 1 });
  let found: Measure | null = null;
  for (let round = 0; round < rounds; round++) {
    const measure = await load({ port, clients, seconds });
    if (!found || measure.perSecond > found.perSecond) found = measure;
  }
  if (!found) throw new Error("no round was run");
  return found;
}

function show({ perSecond, p50Ms, p99Ms }: Measure): string {
  return `${Math.round(perSecond)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
}
