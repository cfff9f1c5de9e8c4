import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { loadEmulation } from "@/board-server/devices/emulation";
import { getBoardModel } from "@/boards";
import { getEngine, loadReader, type Plan, readModel } from "@/engines";
import { digestOf } from "@/lib/server/digest";
import { median } from "./median";

/**
 * Rows a second of hls4ml's emulation of the jet tagger's shape: through the process that a board server runs, one row and
 * 64 rows a call, beside hls4ml's own `predict` in Python over the same rows in the same run, at ap_fixed<16,6>. Both must
 * answer the same bits. Needs `npm run setup -- hls4ml`, and about a minute of g++ for each side.
 */
const passes = 7;
const folder = mkdtempSync(join(tmpdir(), "bw-hls4ml-"));
const python = resolve(process.env["TOOLS_DIR"] ?? ".boardwalk/tools", "hls4ml/bin/python");
const sample = "public/samples/jets-shape-mlp";
const modelPath = `${sample}/model.keras`;
const rows = readFileSync(`${sample}/test.csv`, "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(",").slice(0, 16).map(Number))
  .filter((row) => row.every(Number.isFinite));
const values = Float32Array.from(rows.flat());

try {
  const plan = await planOf(modelPath);
  const program = await makeProgram(plan);
  const peer = await measurePeer();
  const board = await loadEmulation(plan, program, { memoryLimitBytes: 2 ** 30 });
  const answers = await board.infer([tensorOf(0, rows.length)]);
  const ours = answers.outputs[0]?.data;
  const same = Buffer.compare(bitsOf(ours), bitsOf(Float32Array.from(peer.answers.flat()))) === 0;
  console.log(`${rows.length} rows: ${same ? "the same bits on both sides" : "DIFFERENT answers"}`);
  for (const batch of [1, 64]) {
    const perSecond: number[] = [];
    for (let pass = 0; pass < passes; pass++) {
      const began = performance.now();
      for (let at = 0; at < rows.length; at += batch)
        await board.infer([tensorOf(at, Math.min(batch, rows.length - at))]);
      perSecond.push((rows.length / (performance.now() - began)) * 1000);
    }
    say(`process of a board, ${batch} rows a call`, median(perSecond));
  }
  await board.close();
  say("hls4ml's predict in Python", median(peer.ns.map((ns) => (rows.length / ns) * 1e9)));
  if (!same) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function say(what: string, perSecond: number): void {
  console.log(
    `${what.padEnd(36)} ${Math.round(perSecond).toLocaleString("en").padStart(9)} rows/s`,
  );
}

function tensorOf(first: number, count: number) {
  const data = values.slice(first * 16, (first + count) * 16);
  return { name: "features", datatype: "FP32" as const, shape: [count, 16], data };
}

function bitsOf(data: unknown): Uint8Array {
  if (!(data instanceof Float32Array)) throw new TypeError("the answers are no floats");
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

async function planOf(path: string): Promise<Plan> {
  const bytes = readFileSync(path);
  await loadReader("keras");
  return getEngine("hls4ml").plan({
    model: readModel(bytes, digestOf(bytes)),
    card: null,
    calibration: null,
    board: getBoardModel("cpu"),
    boardKind: "cpu",
    options: {},
    toolVersions: {},
    sourceDigest: digestOf("bench"),
    sha256: digestOf,
  });
}

/** What the tool step of a build does, outside of a sandbox. */
async function makeProgram({ files, steps, emulation }: Plan): Promise<string> {
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const data = Buffer.from(values.buffer).toString("base64");
  const feed = { name: "features", datatype: "FP32", shape: [rows.length, 16], data };
  writeFileSync(join(folder, emulation?.rows ?? ""), JSON.stringify([feed]));
  const [step] = steps;
  if (step?.kind !== "tool" || !emulation) throw new TypeError("hls4ml is one step");
  await ask(["-I", ...step.args], "");
  return join(folder, emulation.program);
}

async function measurePeer(): Promise<{ ns: number[]; answers: number[][] }> {
  const script = resolve("bench/peers/hls4ml_peer.py");
  const args = ["-I", script, resolve(modelPath), join(folder, "peer"), String(passes), "16", "6"];
  const said = await ask(args, JSON.stringify(rows));
  return JSON.parse(said.trim().split("\n").at(-1) ?? "");
}

async function ask(args: readonly string[], input: string): Promise<string> {
  const child = spawn(python, args, { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const said = await text(child.stdout);
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(said.slice(-2000));
  return said;
}
