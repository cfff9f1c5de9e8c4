import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, sampleReference, until, untilReady, wait } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";

// Processes killed, frozen and stopped while 64 clients ask: each request has one answer, right or a clear refusal.

const clients = 64;
const frozenS = Number(process.env["FROZEN_S"] ?? 30);
/** Long before it is thawed. */
const soonMs = (frozenS * 1000 * 2) / 3;
const name = "busy";
const { input, output } = sampleReference("iris-mlp");
let installation: Installation;
let pool: Pool;

beforeAll(async () => {
  installation = await startInstallation("serving-faults");
  await deploy(installation, {
    name,
    engine: "onnx",
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: "cpu", kind: "cpu" },
  });
  await untilReady(installation, name);
  pool = new Pool(installation.gatewayUrl, { connections: clients });
}, 240_000);
afterAll(async () => {
  await pool?.destroy();
  await installation?.stop();
});

interface Tally {
  right: number;
  wrong: number;
  /** Refusals by their stable word. */
  readonly refused: Map<string, number>;
  /** Connections that ended without an answer. */
  lost: number;
  slowestMs: number;
}

/** Asks for one row, of which the answer is known, and counts what came. */
async function ask(tally: Tally, index: number): Promise<number> {
  const at = index % input.rows.length;
  const sent = performance.now();
  try {
    const { statusCode, body } = await pool.request({
      method: "POST",
      path: `/v2/models/${name}/infer`,
      body: JSON.stringify({
        id: `r${index}`,
        inputs: [{ name: input.name, shape: [1, 4], datatype: "FP32", data: input.rows[at] }],
      }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever came
    const answer = (await body.json()) as any;
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - sent);
    if (statusCode === 200) {
      const expected = output.rows[at] as number[];
      const close = answer.outputs[0].data.every(
        (value: number, i: number) => Math.abs(value - (expected[i] as number)) < 1e-4,
      );
      if (close && answer.id === `r${index}`) tally.right++;
      else tally.wrong++;
    } else {
      const word = String(answer.code);
      tally.refused.set(word, (tally.refused.get(word) ?? 0) + 1);
    }
    return statusCode;
  } catch {
    tally.lost++;
    return 0;
  }
}

/** Clients that ask all the time until told to stop. */
function startLoad() {
  const tally: Tally = { right: 0, wrong: 0, refused: new Map(), lost: 0, slowestMs: 0 };
  let stopped = false;
  const running = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let i = 0; !stopped; i++) {
        if ((await ask(tally, client + clients * i)) !== 200) await wait(20);
      }
    }),
  );
  return {
    tally,
    async stop() {
      stopped = true;
      await running;
      return tally;
    },
  };
}

const pidOf = (process: string) => installation.processes.running.get(process)?.pid as number;
const answersAgain = () =>
  until("an answer", async () => {
    const probe: Tally = { right: 0, wrong: 0, refused: new Map(), lost: 0, slowestMs: 0 };
    return (await ask(probe, 0)) === 200;
  });

describe(`while ${clients} clients ask`, () => {
  it("a board server that is killed costs refusals only, and comes back by itself", async () => {
    const load = startLoad();
    await until("load", async () => load.tally.right > 500);
    await installation.processes.kill("board-server");
    await wait(1500);
    installation.processes.start("board-server");
    const before = load.tally.right;
    await until("answers again", async () => load.tally.right > before + 200);
    const tally = await load.stop();
    expect({ wrong: tally.wrong, lost: tally.lost }).toEqual({ wrong: 0, lost: 0 });
    expect([...tally.refused.keys()].sort()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(UPSTREAM_RESET|MODEL_NOT_READY)$/)]),
    );
    for (const word of tally.refused.keys())
      expect(["UPSTREAM_RESET", "MODEL_NOT_READY"]).toContain(word);
  });

  it(`a board server that freezes for ${frozenS} s is given up soon, and used again after`, async () => {
    const load = startLoad();
    await until("load", async () => load.tally.right > 500);
    const pid = pidOf("board-server");
    process.kill(pid, "SIGSTOP");
    const frozen = performance.now();
    try {
      await until("refusals", async () => load.tally.refused.size > 0, soonMs);
      await wait(frozenS * 1000 - (performance.now() - frozen));
    } finally {
      process.kill(pid, "SIGCONT");
    }
    const before = load.tally.right;
    await until("answers again", async () => load.tally.right > before + 200);
    const tally = await load.stop();
    expect({ wrong: tally.wrong, lost: tally.lost }).toEqual({ wrong: 0, lost: 0 });
    expect(tally.slowestMs).toBeLessThan(soonMs);
  }, 240_000);

  it("a gateway that is told to stop ends what runs, and takes nothing new", async () => {
    await answersAgain();
    const load = startLoad();
    await until("load", async () => load.tally.right > 500);
    const handle = installation.processes.running.get("gateway");
    await installation.processes.stop("gateway");
    const end = (await handle?.exited) as { code: number } | undefined;
    const tally = await load.stop();
    expect(end?.code).toBe(0);
    expect(tally.wrong).toBe(0);
    for (const word of tally.refused.keys()) expect(word).toBe("MODEL_NOT_READY");
    installation.processes.start("gateway");
    await answersAgain();
  });
});
