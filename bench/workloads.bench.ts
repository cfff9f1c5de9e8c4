import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { median } from "./median";
import { loadHttp, requestsOf } from "./serving/http-load";
import { startRole, stopRoles } from "./serving/roles";
import { deepcalo, facile, resnet, type Workload } from "./serving/workloads";

/**
 * Three nets of the sizes of FACILE, DeepCalo and ResNet at their batch sizes, on the CPU through the gateway and its board
 * server as binary V2, one client and two, beside ONNX Runtime alone in this process with as many threads.
 */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 8);
const folder = mkdtempSync(join(tmpdir(), "bw-wl-"));
const sizeOf = (shape: readonly number[]) => shape.reduce((product, each) => product * each, 1);

try {
  for (const make of [facile, deepcalo, resnet]) await compare(make());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare(workload: Workload): Promise<void> {
  const { name, batch, input, output, bytes, parameters } = workload;
  const path = join(folder, `${name}.onnx`);
  writeFileSync(path, bytes);
  const session = await InferenceSession.create(path, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  const values = Float32Array.from({ length: batch * sizeOf(input) }, (_, i) => Math.sin(i));
  const bareMs = await alone(session, new Tensor("float32", values, [batch, ...input]));
  const served = JSON.stringify({
    path,
    name,
    input: { name: "input", row: input },
    output: { name: session.outputNames[0], row: output },
  });
  await session.release();
  const socket = join(folder, "s");
  const board = await startRole("board", [socket, String(batch), served]);
  const gateway = await startRole("gateway", [socket, String(batch), "1", served]);
  try {
    const [, binary] = requestsOf(name, "input", Array.from(values), input);
    const load = { ...binary, port: gateway.port };
    await loadHttp({ ...load, clients: 1, seconds: 1 });
    const one = await loadHttp({ ...load, clients: 1, seconds });
    const two = await loadHttp({ ...load, clients: 2, seconds });
    const rows = (perSecond: number) => Math.round(perSecond * batch).toLocaleString("en");
    console.log(
      `${name}, ${parameters.toLocaleString("en")} parameters, ${batch} rows: one client ${one.p50Ms.toFixed(1)} ms, ${rows(one.perSecond)} rows/s; two ${rows(two.perSecond)} rows/s; ONNX Runtime alone ${bareMs.toFixed(1)} ms, ${rows(1000 / bareMs)} rows/s; ratio ${((two.perSecond * bareMs) / 1000).toFixed(2)}`,
    );
  } finally {
    await stopRoles([gateway, board]);
  }
}

/** The median of one call, milliseconds. */
async function alone(session: InferenceSession, input: Tensor): Promise<number> {
  const took: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end || took.length < 5) {
    const start = performance.now();
    await session.run({ input });
    took.push(performance.now() - start);
  }
  return median(took);
}
