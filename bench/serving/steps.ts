import { readFileSync } from "node:fs";

/** One frame of a profile: what V8 writes with `--cpu-prof`. */
interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The steps of a request, each with the folders and files whose functions are it; the first that fits counts. */
const steps: readonly (readonly [step: string, places: readonly string[]])[] = [
  ["limits", ["gateway/intake"]],
  ["HTTP", ["gateway/http", "node:_http", "node:internal/http", "node:internal/url", "node:url"]],
  ["gRPC and HTTP/2", ["gateway/grpc", "node:internal/http2", "@bufbuild"]],
  ["tensors", ["lib/common/tensor", "lib/common/floats", "lib/common/number", "gateway/codec"]],
  ["check and route", ["gateway/core/check", "gateway/core/route", "gateway/core/infer"]],
  ["queue and batch", ["gateway/core"]],
  ["hop to the model", ["gateway/transport", "lib/server/board-protocol"]],
  ["counts", ["gateway/metrics", "gateway/traffic", "gateway/telemetry"]],
  ["sockets and streams of Node", ["node:"]],
  ["the rest of ours", ["lib/", "gateway/", "domain/"]],
];
const garbage = "garbage";
const waiting = "waiting";
const native = "kernel and C++ of Node";
export const stepNames: readonly string[] = [...steps.map(([step]) => step), garbage, native];

/**
 * Microseconds of one thread by step, as a profile of a bundled process has them: the own time of each function counts
 * for the step whose file it came from. Waiting is left out.
 *
 * @param path A `.cpuprofile`; esbuild's bundle that it names still stands and says of its lines which file they came from.
 */
export function readSteps(path: string): ReadonlyMap<string, number> {
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(path, "utf8"));
  const placeOf = placesOfBundles();
  const stepOf = new Map(nodes.map(({ id, callFrame }) => [id, stepOfFrame(callFrame, placeOf)]));
  const tookUs = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const step = stepOf.get(id) ?? native;
    if (step !== waiting) tookUs.set(step, (tookUs.get(step) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return tookUs;
}

function stepOfFrame(
  { functionName, url, lineNumber }: ProfileNode["callFrame"],
  placeOf: (url: string, line: number) => string,
): string {
  if (functionName === "(idle)") return waiting;
  if (functionName === "(garbage collector)") return garbage;
  const place = url.startsWith("file:") ? placeOf(url, lineNumber) : url;
  if (url.startsWith("wasm:")) return "tensors";
  return steps.find(([, places]) => places.some((each) => place.includes(each)))?.[0] ?? native;
}

/** Which file a line of a bundle came from: esbuild writes its path above what it took of it. */
function placesOfBundles(): (url: string, line: number) => string {
  const bundles = new Map<string, readonly string[]>();
  return (url, line) => {
    let places = bundles.get(url);
    if (!places) {
      let place = "";
      places = readFileSync(new URL(url), "utf8")
        .split("\n")
        .map((text) => {
          const [, found] = /^\/\/ (\S+\.\w+)$/.exec(text) ?? [];
          place = found ?? place;
          return place;
        });
      bundles.set(url, places);
    }
    return places[line] ?? "";
  };
}
