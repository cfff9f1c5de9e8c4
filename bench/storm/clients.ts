import { setTimeout as delay } from "node:timers/promises";
import type { Build } from "@/lib/common/contract";
import { finalBuildStates } from "@/lib/common/contract";
import type { Installation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import type { Ledger, Promised } from "./ledger";
import { modelOf } from "./model";

/** What the clients of a storm work on. */
export interface Work {
  readonly installation: Installation;
  /** Every gateway; clients ask them in turn. */
  readonly gateways: readonly string[];
  readonly ledger: Ledger;
  readonly seed: number;
  /** Every so many builds are real ones, for a simulated board; the others are models for the CPU, whose plan takes no tool. */
  readonly realEvery: number;
}

/** How long a client asks before it says that nobody answers. */
const patienceMs = 180_000;
/** Endpoints that stay until the end, and are asked all the time. */
const mostStanding = 6;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came
  readonly body: any;
}

/**
 * One model from its upload to its deletion, as a careful client does it: what is not acknowledged is asked again with the same
 * key, what is acknowledged is written down.
 */
export async function followOne(work: Work, n: number): Promise<void> {
  const { ledger, seed, realEvery } = work;
  const isReal = n % realEvery === realEvery - 1;
  const model = modelOf(seed, n);
  const name = `storm-${n}`;
  const url = await upload(work, n, model.bytes);
  const key = `storm-${seed}-${n}`;
  const request = {
    name,
    engine: isReal ? "boardwalk" : "onnx",
    model: { url, card: pair.card },
    board: isReal ? { model: "icebreaker", kind: "simulated" } : { model: "cpu", kind: "cpu" },
  };
  const { buildId } = await deploy(work, key, request);
  ledger.builds.add(buildId);
  ledger.keep();
  if (n % 7 === 0) {
    const again = await deploy(work, key, request);
    if (again.buildId !== buildId) ledger.breaks(`R11 ${key} made ${buildId} and ${again.buildId}`);
  }
  if (n % 11 === 5) await cancel(work, buildId);
  const build = await untilEnded(work, buildId);
  if (build.state !== "succeeded") return await remove(work, name);
  const promised: Promised = { name, n, tolerance: isReal ? 0.1 : 1e-5 };
  await untilItAnswers(work, promised);
  ledger.endpoints.set(name, promised);
  const [oldest] = ledger.endpoints.keys();
  if (ledger.endpoints.size > mostStanding && oldest !== undefined) {
    ledger.endpoints.delete(oldest);
    await remove(work, oldest);
  }
}

/** Asks the endpoints that stand, one after the other, until it is told to stop. */
export async function askStanding(work: Work, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const promised of work.ledger.endpoints.values()) {
      await ask(work, promised);
      await delay(20);
    }
    await delay(50);
  }
}

let asked = 0;

/** Asks once. True for a right answer, which is counted; a wrong one is a broken promise. */
export async function ask(work: Work, promised: Promised): Promise<boolean> {
  const { gateways, ledger, seed } = work;
  const { name, n, tolerance } = promised;
  const model = modelOf(seed, n);
  const gateway = gateways[asked++ % gateways.length];
  try {
    const answer = await fetch(`${gateway}/v2/models/${name}/infer`, {
      method: "POST",
      body: JSON.stringify({
        inputs: [{ name: "v0", shape: [1, 2], datatype: "FP32", data: model.row }],
      }),
      signal: AbortSignal.timeout(30_000),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever came
    const body = (await answer.json()) as any;
    if (answer.status !== 200) {
      ledger.refused(`infer ${answer.status} ${body.code}`);
      if (answer.status === 500) ledger.breaks(`R20 infer ${name}: 500 ${JSON.stringify(body)}`);
      return false;
    }
    const values: number[] = body.outputs[0].data;
    const isRight = model.answer.every(
      (value, i) => Math.abs(value - (values[i] ?? Number.NaN)) <= tolerance,
    );
    if (isRight) ledger.right++;
    else ledger.breaks(`R8 ${name} answered ${values.join(" ")}, not ${model.answer.join(" ")}`);
    return isRight;
  } catch (error) {
    ledger.refused(`infer ${lostWords(error)}`);
    return false;
  }
}

async function upload(work: Work, n: number, bytes: Uint8Array): Promise<string> {
  const { body } = await insist(work, `upload ${n}`, [201], () => {
    const form = new FormData();
    form.append("file", new Blob([Uint8Array.from(bytes)]), `storm-${n}.onnx`);
    return { path: "/models", init: { method: "POST", body: form } };
  });
  return body.url;
}

async function deploy(work: Work, key: string, request: object): Promise<{ buildId: string }> {
  const { body } = await insist(work, `deploy ${key}`, [202], () => ({
    path: "/endpoints",
    init: {
      method: "POST",
      headers: { "idempotency-key": key, prefer: "wait=0" },
      body: JSON.stringify(request),
    },
  }));
  return body;
}

/** 409: it had ended before. */
async function cancel(work: Work, buildId: string): Promise<void> {
  const { status } = await insist(work, `cancel ${buildId}`, [202, 409], () => ({
    path: `/builds/${buildId}/cancel`,
    init: { method: "POST" },
  }));
  if (status === 202) work.ledger.cancelled.add(buildId);
}

/** 404: the answer to an earlier try was lost, and it is gone. */
async function remove(work: Work, name: string): Promise<void> {
  await insist(work, `delete ${name}`, [202, 404], () => ({
    path: `/endpoints/${name}`,
    init: { method: "DELETE" },
  }));
}

async function untilEnded(work: Work, buildId: string): Promise<Build> {
  const { ledger } = work;
  const deadline = performance.now() + 2 * patienceMs;
  for (;;) {
    const { body } = await insist(work, `look at ${buildId}`, [200], () => ({
      path: `/builds/${buildId}`,
    }));
    const build = body as Build;
    if (finalBuildStates.has(build.state)) {
      const reason = build.problem?.reason;
      ledger.ends.set(buildId, reason ? `${build.state} ${reason}` : build.state);
      return build;
    }
    if (performance.now() > deadline)
      throw new Error(`${buildId} is ${build.state} after ${(2 * patienceMs) / 1000} s`);
    await delay(150);
  }
}

async function untilItAnswers(work: Work, promised: Promised): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await ask(work, promised))) {
    if (performance.now() > deadline)
      throw new Error(
        `${promised.name} was built and does not answer after ${patienceMs / 1000} s`,
      );
    await delay(200);
  }
}

/** Asks the API until it answers with one of these; what says that it is away for now is asked again. */
async function insist(
  { installation, ledger }: Work,
  what: string,
  wanted: readonly number[],
  call: () => { path: string; init?: RequestInit },
): Promise<Answer> {
  const deadline = performance.now() + patienceMs;
  let last = "";
  while (performance.now() < deadline) {
    try {
      const { path, init } = call();
      const answer: Answer = await installation.api(path, {
        ...init,
        signal: AbortSignal.timeout(30_000),
      });
      if (wanted.includes(answer.status)) return answer;
      const { reason, message } = answer.body?.error ?? {};
      last = `${answer.status} ${reason}`;
      ledger.refused(last);
      const isPassing =
        answer.status > 500 || answer.status === 429 || reason === "IDEMPOTENCY_IN_FLIGHT";
      if (!isPassing) throw new Refused(`${what}: ${last}: ${message}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      last = lostWords(error);
      ledger.refused(last);
    }
    await delay(250);
  }
  throw new Error(`${what}: nobody answered within ${patienceMs / 1000} s, last ${last}`);
}

/** An answer that is no good, however often it is asked for. */
class Refused extends Error {}

function lostWords(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? "lost";
}
