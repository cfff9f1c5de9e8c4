import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/scripts/lib/home.mjs";
import type { Installation } from "./installation";

/** A sample model's held-back rows with the float model's answers. */
export function sampleReference(id: string): {
  input: { name: string; width: number; rows: number[][] };
  output: { name: string; width: number; rows: number[][] };
} {
  const { inputs, outputs } = JSON.parse(
    readFileSync(join(root, `public/samples/${id}/reference.json`), "utf8"),
  );
  const side = (tensors: Record<string, { shape: number[]; data: number[] }>) => {
    const [[name, { shape, data }]] = Object.entries(tensors) as [
      [string, { shape: number[]; data: number[] }],
    ];
    const width = shape[1] as number;
    const rows = Array.from({ length: data.length / width }, (_, row) =>
      data.slice(row * width, (row + 1) * width),
    );
    return { name, width, rows };
  };
  return { input: side(inputs), output: side(outputs) };
}

/** A copy of a sample's ONNX file that differs in its doc string only: another digest, the same answers. */
export function variantOf(id: string, text: string): Uint8Array {
  return saying(readFileSync(join(root, `public/samples/${id}/model.onnx`)), text);
}

/** The same of the bytes of any ONNX file. */
export function saying(bytes: Uint8Array, text: string): Uint8Array {
  const words = Buffer.from(text);
  // ModelProto.doc_string is field 6, length-delimited; the last one given wins.
  return Buffer.concat([bytes, Buffer.from([0x32, words.length]), words]);
}

/** Uploads a model file; answers its URL. */
export async function upload(installation: Installation, name: string, bytes: Uint8Array) {
  const form = new FormData();
  form.append("file", new Blob([Uint8Array.from(bytes)]), name);
  const { status, body } = await installation.api("/models", { method: "POST", body: form });
  return {
    status,
    body: body as { url: string; id: string; error?: { reason: string; message: string } },
  };
}

export interface EndpointView {
  name: string;
  state: string;
  reason?: string;
  buildId: string;
  artifactDigest: string | null;
  reused: boolean;
  proof?: { vectors: number; mismatches: number; rows: number; agreement: number | null };
}

/**
 * Asks for an endpoint, retrying with the same key while the portal is away: what any careful client does. It does not wait for the
 * model to be read, so that a model that cannot be built gets as far as its build.
 */
export async function deploy(
  installation: Installation,
  body: Record<string, unknown>,
  key = `test-${Math.random().toString(36).slice(2)}`,
): Promise<{ name: string; buildId: string }> {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await installation.api("/endpoints", {
        method: "POST",
        headers: { "idempotency-key": key, prefer: "wait=0" },
        body: JSON.stringify(body),
      });
      if (answer.status === 202) return answer.body;
      if (answer.status < 500 && answer.status !== 409) {
        throw new Error(`deploy: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
    } catch (error) {
      if (tries > 100 || (error instanceof Error && error.message.startsWith("deploy:")))
        throw error;
    }
    await wait(200);
  }
}

export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls until a condition holds; the error says what was seen last. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline)
      throw new Error(`${what}: not within ${timeoutMs / 1000} s (${String(last)})`);
    await wait(100);
  }
}

/** Waits until an endpoint is ready and the gateway has heard of it; fails at once when it failed. */
export async function untilReady(installation: Installation, name: string, timeoutMs = 180_000) {
  let last: EndpointView | undefined;
  const ready = await until(
    `${name} ready`,
    async () => {
      const { status, body } = await installation.api(`/endpoints/${name}`);
      if (status !== 200) return false;
      last = body as EndpointView;
      return ["ready", "failed"].includes(last.state);
    },
    timeoutMs,
  ).then(
    () => last as EndpointView,
    (error) => {
      throw new Error(`${error.message}; last: ${JSON.stringify(last)}`);
    },
  );
  if (ready.state !== "ready")
    throw new Error(`${name} is ${ready.state}: ${JSON.stringify(ready)}`);
  await until(`${name} at the gateway`, async () => {
    const answer = await fetch(`${installation.gatewayUrl}/v2/models/${name}/ready`);
    await answer.arrayBuffer();
    return ![404, 503].includes(answer.status);
  });
  return ready;
}

/** One JSON prediction; answers status and the first output's values. */
export async function predict(
  installation: Installation,
  name: string,
  input: { name: string; row: readonly number[] },
) {
  const answer = await fetch(`${installation.gatewayUrl}/v2/models/${name}/infer`, {
    method: "POST",
    body: JSON.stringify({
      inputs: [
        { name: input.name, shape: [1, input.row.length], datatype: "FP32", data: input.row },
      ],
    }),
  });
  const body = (await answer.json()) as { outputs?: { data: number[] }[]; error?: string };
  return { status: answer.status, values: body.outputs?.[0]?.data ?? [], error: body.error };
}
