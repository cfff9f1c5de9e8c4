import { createCoreRunner, loadSimulation } from "@/simulator/run";

// Runs the design that the build recorded, so that what a board answers can be seen beside it. The page's own thread never does.

/** What the worker is asked: rows of bytes for the core of a design. */
export interface ReferenceAsk {
  readonly url: string;
  /** `sha256:<hex>` of the design's bytes. */
  readonly digest: string;
  readonly core: { readonly inputBytes: number; readonly outputBytes: number };
  readonly rows: Uint8Array;
  readonly count: number;
}

interface Scope {
  postMessage(message: Uint8Array | null): void;
  onmessage: ((event: MessageEvent<ReferenceAsk>) => void) | null;
}
const scope = globalThis as unknown as Scope;

scope.onmessage = async ({ data }) => {
  try {
    scope.postMessage(await run(data));
  } catch {
    scope.postMessage(null);
  }
};

async function run({ url, digest, core, rows, count }: ReferenceAsk): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const wasm = new Uint8Array(await answer.arrayBuffer());
  await requireDigest(wasm, digest);
  const runner = createCoreRunner(loadSimulation(wasm), core);
  const outputs = new Uint8Array(count * core.outputBytes);
  for (let row = 0; row < count; row++) {
    const bytes = rows.subarray(row * core.inputBytes, (row + 1) * core.inputBytes);
    outputs.set(runner.run(bytes).output, row * core.outputBytes);
  }
  return outputs;
}

/** Where the browser has no cryptography, on plain http, the portal is believed. */
async function requireDigest(bytes: Uint8Array<ArrayBuffer>, digest: string): Promise<void> {
  if (globalThis.crypto?.subtle === undefined) return;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (`sha256:${hex}` !== digest) throw new Error("other bytes");
}
