import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findOnPath } from "@/lib/server/process";
import { freePort } from "@/scripts/lib/ports.mjs";
import { modelName, modelPath } from "./model";
import type { Form, Server } from "./server";

interface Ports {
  readonly http: number;
  readonly grpc: number;
}

interface Peer {
  readonly name: string;
  /** The Python environment that it is in. */
  readonly environment: string;
  readonly forms: readonly Form[];
  readonly env?: (ports: Ports) => Readonly<Record<string, string>>;
  readonly argv: (ports: Ports, environment: Environment) => readonly string[];
}

interface Environment {
  readonly bin: string;
  /** Of its packages. */
  readonly packages: string;
  /** Of the Python underneath, whose library Triton's stub is linked to. */
  readonly libraries: string;
}

const environments = join(process.env["TOOLS_DIR"] ?? ".boardwalk/tools", "peers");
const files = resolve("bench/peers");
const startMs = 90_000;
const endMs = 20_000;

const peers: readonly Peer[] = [
  {
    name: "Triton",
    environment: "pytriton",
    forms: ["JSON", "binary", "gRPC"],
    argv: ({ http, grpc }, { packages }) => [
      join(packages, "pytriton/tritonserver/bin/tritonserver"),
      `--model-repository=${join(files, "triton")}`,
      `--backend-directory=${join(packages, "pytriton/tritonserver/backends")}`,
      "--http-address=127.0.0.1",
      `--http-port=${http}`,
      "--grpc-address=127.0.0.1",
      `--grpc-port=${grpc}`,
      "--allow-metrics=false",
    ],
  },
  {
    name: "pytriton",
    environment: "pytriton",
    forms: ["JSON", "binary", "gRPC"],
    argv: ({ http, grpc }, { bin }) => [
      join(bin, "python"),
      "pytriton_peer.py",
      String(http),
      String(grpc),
    ],
  },
  {
    name: "MLServer",
    environment: "mlserver",
    // It has no binary tensors over HTTP.
    forms: ["JSON", "gRPC"],
    // A pool of processes only adds a copy to a net as small as this.
    env: ({ http, grpc }) => ({
      MLSERVER_HOST: "127.0.0.1",
      MLSERVER_HTTP_PORT: String(http),
      MLSERVER_GRPC_PORT: String(grpc),
      MLSERVER_DEBUG: "false",
      MLSERVER_METRICS_ENDPOINT: "",
      MLSERVER_PARALLEL_WORKERS: "0",
    }),
    argv: (_, { bin }) => [join(bin, "mlserver"), "start", files],
  },
  {
    name: "KServe",
    environment: "kserve",
    forms: ["JSON", "binary", "gRPC"],
    argv: ({ http, grpc }, { bin }) => [
      join(bin, "python"),
      "kserve_peer.py",
      `--http_port=${http}`,
      `--grpc_port=${grpc}`,
      "--enable_latency_logging=false",
    ],
  },
];

/** Starts the model servers that are installed, on loopback; `missing` names the others. */
export async function startPeers(): Promise<{
  readonly servers: readonly Server[];
  readonly missing: readonly string[];
}> {
  const installed = peers.filter(({ environment }) => existsSync(pythonOf(environment)));
  const missing = peers.filter((peer) => !installed.includes(peer)).map(({ name }) => name);
  const started = await Promise.allSettled(installed.map(start));
  const servers = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failed = started.find((each) => each.status === "rejected");
  if (failed) {
    await Promise.all(servers.map(({ close }) => close()));
    throw failed.reason;
  }
  return { servers, missing };
}

const pythonOf = (environment: string) => resolve(environments, environment, "bin/python");

async function start({ name, environment: folder, forms, argv, env }: Peer): Promise<Server> {
  const environment = environmentOf(folder);
  const { bin, libraries } = environment;
  const ports = { http: await freePort(), grpc: await freePort() };
  const shim = findOnPath("setpriv");
  const [command = "", ...args] = [
    ...(shim ? [shim, "--pdeathsig", "TERM", "--"] : []),
    ...argv(ports, environment),
  ];
  const child = spawn(command, args, {
    cwd: files,
    env: {
      ...process.env,
      NET: resolve(modelPath),
      PATH: [bin, process.env["PATH"]].join(delimiter),
      LD_LIBRARY_PATH: libraries,
      PYTHONPATH: files,
      ...env?.(ports),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  const listen = (chunk: Buffer) => {
    words = (words + chunk).slice(-4000);
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  const close = () => end(child);
  if (!(await becomesReady(child, ports.http))) {
    await close();
    throw new Error(`${name} did not start:\n${words}`);
  }
  const portOf = (form: string) => [form, form === "gRPC" ? ports.grpc : ports.http];
  const roots = () => (child.pid === undefined ? [] : [child.pid]);
  return { name, ports: Object.fromEntries(forms.map(portOf)), roots, close };
}

function environmentOf(folder: string): Environment {
  const script =
    "import sysconfig as s; print(s.get_path('purelib')); print(s.get_config_var('LIBDIR'))";
  const text = execFileSync(pythonOf(folder), ["-c", script], { encoding: "utf8" });
  const [packages = "", libraries = ""] = text.trim().split("\n");
  return { bin: resolve(environments, folder, "bin"), packages, libraries };
}

async function becomesReady(child: ChildProcess, port: number): Promise<boolean> {
  const deadline = performance.now() + startMs;
  while (child.exitCode === null && performance.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/v2/models/${modelName}/ready`).catch(
      () => null,
    );
    await answer?.arrayBuffer();
    if (answer?.ok) return true;
    await sleep(200);
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const hurry = setTimeout(() => child.kill("SIGKILL"), endMs);
  child.kill("SIGTERM");
  await ended;
  clearTimeout(hurry);
}
