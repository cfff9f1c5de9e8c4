import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type AppError, httpStatusOf, isAppError, toAppError } from "@/lib/common/errors";
import { inspectBytes } from "@/workers/inspect";
import { type Inspected, inspectModel } from "@/workers/inspect/inspect-model";
import { bundleFolder } from "../workers/folders";
import { badFile, badFileNames, paddings, seeded } from "./files";
import { badFiles, cpuOnlyFiles } from "./table";

/** Processor time. A file that takes more could hold a worker up; a busy machine takes several times what a quiet one does. */
const longestMs = 8000;

beforeAll(async () => {
  vi.stubEnv("BOARDWALK_BUNDLES", await bundleFolder());
  // What a process pays once, at its first good model, is no file's fault.
  await inspectModel(readFileSync("public/samples/iris-mlp/model.onnx"), null);
  return () => vi.unstubAllEnvs();
});

/** What the inspection answers: its findings, or the error; one that takes long fails the test. */
async function inspect(bytes: Uint8Array): Promise<Inspected | AppError> {
  const { user, system } = process.cpuUsage();
  const answer = await inspectModel(bytes, null).catch(toAppError);
  const spent = process.cpuUsage({ user, system });
  expect((spent.user + spent.system) / 1000).toBeLessThan(longestMs);
  return answer;
}

/** An answer that blames the file and not us. */
function expectRefusal(answer: Inspected | AppError): void {
  if (!isAppError(answer)) throw new Error("the file was taken");
  expect(`${answer.reason} ${httpStatusOf(answer)}`).toMatch(/^[A-Z_]+ 4\d\d$/);
  expect(answer.message).not.toMatch(/\/work|\/home|\/tmp|node_modules|\bat .*:\d+/);
}

describe("bad model files", () => {
  it("are all in the table", () => {
    const known = [...Object.keys(badFiles), ...Object.keys(cpuOnlyFiles)];
    expect(badFileNames().sort()).toEqual(known.sort());
  });

  it.each(Object.entries(badFiles))(
    "%s is refused for what is wrong with it",
    async (name, bad) => {
      const answer = await inspect(badFile(name));
      expectRefusal(answer);
      const { reason, message } = answer as AppError;
      expect(reason).toBe(bad.reason);
      for (const words of bad.says) expect(message).toContain(words);
    },
  );

  it.each(Object.keys(badFiles))("%s is refused when it is padded, too", async (name) => {
    for (const [how, bytes] of paddings(badFile(name))) {
      const answer = await inspect(bytes);
      expect(isAppError(answer), `${how}: taken`).toBe(true);
      expectRefusal(answer);
    }
  });

  it.each(Object.entries(cpuOnlyFiles))(
    "%s is for the CPU, and the FPGA says why",
    async (name, bad) => {
      const answer = await inspect(badFile(name));
      if (isAppError(answer)) throw answer;
      const verdicts = new Map(answer.inspection.engines.map((verdict) => [verdict.id, verdict]));
      expect(verdicts.get("onnx")).toEqual({ id: "onnx", ok: true });
      const fpga = verdicts.get("boardwalk");
      expect(fpga).toMatchObject({ ok: false, reason: bad.reason });
      for (const words of bad.says) expect(fpga?.message).toContain(words);
      expect(fpga?.hint).toContain("CPU");
    },
  );

  it("end their own process when they take too long, and nothing else", async () => {
    await expect(
      inspectBytes(badFile("many-files.tar.gz"), { timeoutMs: 1 }),
    ).rejects.toMatchObject({ reason: "INSPECTION_TIMED_OUT" });
    expect(await inspectBytes(readFileSync("public/samples/iris-mlp/model.onnx"))).toMatchObject({
      format: "onnx",
      parameters: 243,
    });
  });
});

describe("a model that ends the process that reads it", () => {
  const nested = Buffer.from(`{"learner":[${"[[]],".repeat(2_000_000)}0],"version":[2,0,0]}`);

  it("is refused, and the next one is read", async () => {
    await expect(inspectBytes(nested, { memoryMb: 64 })).rejects.toMatchObject({
      reason: "MODEL_TOO_COMPLEX",
    });
    expect(await inspectBytes(readFileSync("public/samples/iris-mlp/model.onnx"))).toMatchObject({
      format: "onnx",
    });
  });

  it("is broken off by whoever waits no more", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    await expect(inspectBytes(nested, { signal: stop.signal })).rejects.toMatchObject({
      reason: "CANCELLED",
    });
  });
});

describe("damaged ONNX files", () => {
  const seed = Number(process.env["SEED"] ?? 20_261_120);
  const samples = ["iris-mlp", "digits-mlp", "jets-small-mlp"].map((id) =>
    readFileSync(`public/samples/${id}/model.onnx`),
  );
  const small = ["loop-op.onnx", "string-input.onnx"].map(badFile);

  it(`are read or refused, 500 of them, seed ${seed}`, async () => {
    const random = seeded(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const counts = { read: 0, refused: 0 };
    for (let run = 0; run < 500; run += 1) {
      const pool = random() < 0.5 ? samples : small;
      const bytes = mutated(pool[below(pool.length)] ?? Buffer.alloc(0), below);
      const answer = await inspect(bytes);
      if (isAppError(answer)) {
        expectRefusal(answer);
        counts.refused += 1;
      } else counts.read += 1;
    }
    // Weights can change without harm, structure cannot: both must have been met.
    expect(counts.refused).toBeGreaterThan(50);
    expect(counts.read).toBeGreaterThan(5);
  });
});

/** Flips, overwrites, cuts out, doubles or cuts off, one to four times. */
function mutated(original: Buffer, below: (limit: number) => number): Buffer {
  let bytes = Buffer.from(original);
  for (let change = below(4); change >= 0; change -= 1) {
    const at = below(bytes.length);
    const length = 1 + below(16);
    switch (below(5)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
        break;
      case 1:
        bytes[at] = [0, 0xff, 0x7f, 0x80][below(4)] ?? 0;
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
        break;
      default:
        if (below(4) === 0) bytes = bytes.subarray(0, at);
    }
    if (bytes.length === 0) break;
  }
  return bytes;
}
