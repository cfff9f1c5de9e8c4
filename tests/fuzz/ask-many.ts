import { randomFrom } from "@/compiler/random";
import { type ApiRequest, apiRequest, type Operation } from "./api-requests";
import { judge, noVerdicts, type Verdicts } from "./judge";

/** Requests to make by seed, and who answers them. */
export interface ManyRequests {
  readonly count: number;
  readonly seed: number;
  readonly operations: readonly Operation[];
  /** Names and ids of things that exist. */
  readonly known: readonly string[];
  readonly send: (request: ApiRequest, signal: AbortSignal) => Promise<Response>;
  /** Called after every few requests with the number of those before them. */
  readonly after?: (done: number) => Promise<void>;
}

/** Requests under way at a time. */
export const abreast = 8;

/** Sends requests made from the API's description, and writes down what came. */
export async function askMany(many: ManyRequests): Promise<Verdicts> {
  const { count, seed, operations, known, send, after } = many;
  const random = randomFrom(seed);
  const verdicts = noVerdicts();
  for (let done = 0; done < count; done += abreast) {
    const requests = Array.from({ length: abreast }, () =>
      apiRequest(operations[random.integer(0, operations.length - 1)] as Operation, random, known),
    );
    await Promise.all(
      requests.map((request) => judge(verdicts, request, (signal) => send(request, signal))),
    );
    await after?.(done);
  }
  return verdicts;
}
