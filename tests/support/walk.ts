import { createServer, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Build } from "@/lib/common/contract";
import { finalBuildStates } from "@/lib/common/contract";
import type { Ledger } from "./audit";
import { predict, saying } from "./client";
import type { Installation } from "./installation";
import { pair } from "./pair";

interface Request {
  readonly json?: object;
  /** Name and bytes of a file to upload. */
  readonly file?: readonly [name: string, bytes: Uint8Array];
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came
  readonly body: any;
}

/** Whoever is killed at every step gets far only now and then. */
const patienceMs = 900_000;

/** Somebody who does with an installation all that it is made for, and asks again whatever had no answer. */
export class Walk {
  readonly ledger: Ledger = { builds: [], endpoints: [] };
  /** What no fault excuses: answers that say that the product is at fault. */
  readonly broken: string[] = [];
  readonly #installation: Installation;
  readonly #hook: Server;
  #serial = 0;

  private constructor(installation: Installation, hook: Server) {
    this.#installation = installation;
    this.#hook = hook;
  }

  /** @param hookPort Where its receiver of webhooks listens. */
  static async start(installation: Installation, hookPort: number): Promise<Walk> {
    const hook = createServer((request, response) => {
      request.resume();
      request.once("end", () => response.end());
    });
    await new Promise<void>((done) => hook.listen(hookPort, "127.0.0.1", done));
    return new Walk(installation, hook);
  }

  close(): void {
    this.#hook.close();
  }

  /** Asks until there is an answer; a process that died on it is not one. */
  async call(method: string, path: string, request: Request = {}): Promise<Answer> {
    const deadline = performance.now() + patienceMs;
    let last = "";
    for (; performance.now() < deadline; await delay(50)) {
      const answer = await this.#once(method, path, request).catch((error: Error) => `${error}`);
      if (typeof answer === "string") {
        last = answer;
        continue;
      }
      const { status, body } = answer;
      const reason = body?.error?.reason;
      last = `${status} ${reason}`;
      if (status === 500) this.broken.push(`${method} ${path}: ${JSON.stringify(body)}`);
      const isPassing = status > 500 || status === 429 || reason === "IDEMPOTENCY_IN_FLIGHT";
      if (!isPassing) return answer;
    }
    throw new Error(`${method} ${path}: no answer within ${patienceMs / 1000} s, last ${last}`);
  }

  async #once(method: string, path: string, { json, file, headers }: Request): Promise<Answer> {
    const form = new FormData();
    if (file) form.append("file", new Blob([Uint8Array.from(file[1])]), file[0]);
    const body = file ? form : json && JSON.stringify(json);
    const base = path.startsWith("/~") ? this.#installation.portalUrl : undefined;
    const url = base ? base + path.slice(2) : `${this.#installation.portalUrl}/api/v1${path}`;
    const answer = await fetch(url, {
      method,
      headers: { ...(json ? { "content-type": "application/json" } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
      // One event is enough: streams do not end.
      const reader = answer.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return { status: answer.status, body: null };
    }
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, body: isJson ? JSON.parse(bytes.toString()) : bytes };
  }

  /** Uploads a model that nobody had before; answers its URL and id. */
  async upload(): Promise<{ url: string; id: string }> {
    const n = ++this.#serial;
    const file = [`walk-${n}.onnx`, saying(pair.model, `walk ${n}`)] as const;
    const { body } = await this.call("POST", "/models", { file });
    return body;
  }

  /** Deploys a model on the CPU, or on a simulated board; answers the names of endpoint and build. */
  async deploy(
    model: { url: string },
    { engine = "onnx", more = {} }: { engine?: "onnx" | "boardwalk"; more?: object } = {},
  ): Promise<{ name: string; buildId: string }> {
    const name = `walk-${++this.#serial}`;
    const board =
      engine === "onnx"
        ? { model: "cpu", kind: "cpu" }
        : { model: "icebreaker", kind: "simulated" };
    const request = { engine, model: { url: model.url, card: pair.card }, board, ...more };
    const { status, body } = await this.call("POST", "/endpoints", {
      json: { name, ...request },
      headers: { "idempotency-key": `walk-${name}`, prefer: "wait=0" },
    });
    if (status !== 202) throw new Error(`deploy ${name}: ${status} ${JSON.stringify(body)}`);
    this.ledger.builds.push(body.buildId);
    return { name, buildId: body.buildId };
  }

  async endOf(buildId: string): Promise<Build> {
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
      const { body } = await this.call("GET", `/builds/${buildId}`);
      if (finalBuildStates.has(body.state)) return body;
      await delay(100);
    }
    throw new Error(`${buildId} does not end`);
  }

  async untilReady(name: string): Promise<void> {
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
      const { body } = await this.call("GET", `/endpoints/${name}`);
      if (body.state === "ready" && (await this.isAnswering(name))) return;
      await delay(200);
    }
    throw new Error(`${name} is not ready`);
  }

  async isAnswering(name: string): Promise<boolean> {
    const answer = await predict(this.#installation, name, pair.row).catch(() => null);
    return answer?.status === 200;
  }

  async remove(name: string): Promise<void> {
    await this.call("DELETE", `/endpoints/${name}`);
  }
}
