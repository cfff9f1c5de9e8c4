import type { Manifest } from "@/lib/common/contract";
import { decodeRows, encodeRows } from "@/lib/common/core-io";
import { numbersOf, parseInferRequest } from "@/lib/common/tensor";
import type { ReferenceAsk } from "./reference.worker";
import { mostRows } from "./rows";

/** A design of so many cycles that a browser does not get through it has no answer here. */
const patienceMs = 30_000;

/** The values of each output for the rows of a request, as the design that the build recorded gives them. */
export type ReferenceValues = ReadonlyMap<string, readonly (number | bigint)[]>;

/** What the build's design gives for a request. Null: there is none to run here, or it does not end. */
export async function runReference(
  digest: string,
  { io, core, files }: Manifest,
  request: string,
): Promise<ReferenceValues | null> {
  const file = files.find(({ role }) => role === "simulation");
  if (!core || !file) return null;
  const { inputs } = parseInferRequest(new TextEncoder().encode(request));
  const { bytes: rows, count } = encodeRows(io, core, inputs);
  if (count > mostRows) return null;
  const url = `/api/v1/artifacts/${encodeURIComponent(digest)}/files/simulation`;
  const { inputBytes, outputBytes } = core;
  const outputs = await ask({
    url,
    digest: file.digest,
    core: { inputBytes, outputBytes },
    rows,
    count,
  });
  if (!outputs) return null;
  return new Map(
    decodeRows(io, core, outputs, count).map(({ name, data }) => [name, numbersOf(data)]),
  );
}

function ask(request: ReferenceAsk): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./reference.worker.ts", import.meta.url));
    const end = (outputs: Uint8Array | null) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(outputs);
    };
    const timer = setTimeout(() => end(null), patienceMs);
    worker.onmessage = ({ data }: MessageEvent<Uint8Array | null>) => end(data);
    worker.onerror = () => end(null);
    worker.postMessage(request);
  });
}
