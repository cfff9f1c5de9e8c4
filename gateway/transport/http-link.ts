import { isIPv4 } from "node:net";
import { type Dispatcher, Pool } from "undici";
import { type Timing, timingSchema } from "@/lib/common/contract";
import {
  AppError,
  type ErrorCode,
  fail,
  isAppError,
  isErrorCode,
  isReason,
  type Reason,
} from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";
import { joinMessage, parseInferResponse, writeInferRequest } from "@/lib/common/tensor";
import { inferHeaders, type TensorAddress } from "@/lib/server/board-protocol";
import { type BoardLink, type LinkAnswer, type LinkCall, LinkError, type Replica } from "../core";
import type { Life } from "../intake";
import { DirectConnection } from "./direct-connection";

const headerLengthName = "inference-header-content-length";
/** Connections to one board server; more requests wait for one of them. */
const connections = 64;

/** Binary V2 over kept-alive HTTP/1.1 connections, one pool per board server. */
export function createHttpLink(): BoardLink {
  const pools = new Map<string, Dispatcher>();
  /** Apart from the others, so that no inference makes a ping wait. */
  const pings = new Map<string, Dispatcher>();
  const keyOf = (address: TensorAddress): string =>
    address.kind === "unix" ? address.path : `${address.host}:${address.port}`;
  const pingPoolOf = (address: TensorAddress): Dispatcher => {
    const key = keyOf(address);
    const known = pings.get(key);
    if (known) return known;
    const pool = new Pool(originOf(address), {
      connections: 1,
      connect: { timeout: 2000, ...(address.kind === "unix" ? { socketPath: address.path } : {}) },
    });
    pings.set(key, pool);
    return pool;
  };
  const poolOf = (address: TensorAddress): Dispatcher => {
    const key = keyOf(address);
    const known = pools.get(key) ?? makePool(address);
    pools.set(key, known);
    return known;
  };
  const direct = new DirectConnections();
  const viaServer = async (call: LinkCall): Promise<LinkAnswer> => {
    const { replica } = call;
    const { answer, directPath } = await send(poolOf(replica.address), call);
    if (directPath !== null && replica.address.kind === "unix") direct.set(replica, directPath);
    return answer;
  };
  return {
    async infer(call) {
      const { replica } = call;
      const connection = direct.get(replica);
      if (!connection) return viaServer(call);
      try {
        return await connection.infer(call);
      } catch (error) {
        // Its process is gone or unloads it: the board server knows what became of the slot.
        const refused = isAppError(error) && error.reason === "REVISION_MISMATCH";
        if (error instanceof LinkError || refused) direct.forget(replica);
        if (refused || (error instanceof LinkError && !error.sent)) return viaServer(call);
        throw error;
      }
    },
    async ping(address, signal) {
      const { body } = await pingPoolOf(address).request({ method: "GET", path: "/live", signal });
      await body.dump();
    },
    giveUp(address) {
      const key = keyOf(address);
      const pool = pools.get(key);
      pools.delete(key);
      void pool?.destroy(new Error("the board server is silent"));
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      direct.close();
      await Promise.all([...pings.values()].map((pool) => pool.destroy()));
    },
  };
}

function makePool(address: TensorAddress): Pool {
  return new Pool(originOf(address), {
    connections,
    pipelining: 1,
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 600_000,
    // Deadlines are the caller's signal; the board server's own limits come sooner than these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: 2000,
      ...(address.kind === "unix" ? { socketPath: address.path } : {}),
    },
  });
}

/** Connections to models that answer on sockets of their own, by slot; a new epoch has another one. */
class DirectConnections {
  private readonly bySlot = new Map<
    string,
    { readonly epoch: number; readonly connection: DirectConnection }
  >();

  get({ slotId, slotEpoch }: Replica): DirectConnection | undefined {
    const known = this.bySlot.get(slotId);
    return known?.epoch === slotEpoch ? known.connection : undefined;
  }

  set(replica: Replica, path: string): void {
    if (this.get(replica)) return;
    this.forget(replica);
    const connection = new DirectConnection(path);
    this.bySlot.set(replica.slotId, { epoch: replica.slotEpoch, connection });
  }

  forget({ slotId }: Replica): void {
    this.bySlot.get(slotId)?.connection.close();
    this.bySlot.delete(slotId);
  }

  close(): void {
    for (const { connection } of this.bySlot.values()) connection.close();
  }
}

/** Tensors leave this host only under TLS, and no board server of ours speaks that yet. */
function originOf(address: TensorAddress): string {
  if (address.kind === "tcp" && !isLoopback(address.host)) {
    throw fail(
      "LINK_INSECURE",
      `The board server at ${address.host} cannot be reached in the clear.`,
      {
        hint: "Let it listen on a Unix socket or on loopback, and bring its port here by a tunnel.",
      },
    );
  }
  return address.kind === "unix" ? "http://localhost" : `http://${address.host}:${address.port}`;
}

/** Numbers and `localhost` only: another name may lead anywhere tomorrow. */
function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  return isIPv4(bare) && bare.startsWith("127.");
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

interface Sent {
  readonly answer: LinkAnswer;
  /** Where the model itself takes further calls, if it does. */
  readonly directPath: string | null;
}

async function send(pool: Dispatcher, call: LinkCall): Promise<Sent> {
  const { replica, revisionId, id, requests, waitMs, life } = call;
  const { body, headerLength: length } = joinMessage(writeInferRequest(id, requests));
  const start = performance.now();
  const answer = await exchange(
    pool,
    {
      method: "POST",
      path: `/slots/${replica.slotId}/infer`,
      body,
      headers: {
        [headerLengthName]: String(length),
        [inferHeaders.revision]: revisionId,
        [inferHeaders.slotEpoch]: String(replica.slotEpoch),
        [inferHeaders.deadlineMs]: String(waitMs),
      },
    },
    life,
  );
  const totalNs = (performance.now() - start) * 1e6;
  if (answer.status !== 200) throw errorOf(answer);
  const headerLength = Number(answer.headers[headerLengthName]);
  const echo = answer.headers[inferHeaders.revision];
  const direct = answer.headers[inferHeaders.direct];
  return {
    answer: {
      revisionId: typeof echo === "string" ? echo : null,
      outputs: parseInferResponse(answer.body, { headerLength }),
      timing: timingOf(answer.headers[inferHeaders.timing]),
      clipped: clippedOf(answer.headers[inferHeaders.clipped]),
      memory: memoryOf(replica.slotId, answer.headers[inferHeaders.memory]),
      totalNs,
    },
    directPath: typeof direct === "string" && direct.startsWith("/") ? direct : null,
  };
}

/** One request and its whole answer. Sent means: a connection was there and the request was put on it. */
function exchange(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  life: Life,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    if (life.ended) {
      reject(life.cause);
      return;
    }
    let sent = false;
    let status = 0;
    let headers: RawAnswer["headers"] = {};
    const chunks: Buffer[] = [];
    let abort: ((reason: Error) => void) | null = null;
    life.onEnd(() => {
      reject(life.cause);
      abort?.(new Error("aborted"));
    });
    const settled = (): void => life.onEnd(null);
    pool.dispatch(options, {
      onRequestStart(controller) {
        sent = true;
        abort = (reason) => controller.abort(reason);
        if (life.ended) controller.abort(new Error("aborted"));
      },
      onResponseStart(_, statusCode, responseHeaders) {
        status = statusCode;
        headers = responseHeaders;
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        settled();
        const [only] = chunks;
        resolve({
          status,
          headers,
          body: chunks.length === 1 && only ? only : Buffer.concat(chunks),
        });
      },
      onResponseError(_, error) {
        settled();
        reject(life.ended ? life.cause : new LinkError(sent, error));
      },
    });
  });
}

function timingOf(header: string | string[] | undefined): Timing {
  if (typeof header !== "string") return {};
  return timingSchema.parse(JSON.parse(header));
}

function clippedOf(header: string | string[] | undefined): LinkAnswer["clipped"] {
  if (typeof header !== "string" || !/^\d{1,15}(,\d{1,15})*$/.test(header)) return null;
  return header.split(",").map(Number);
}

function memoryOf(slotId: string, header: string | string[] | undefined): LinkAnswer["memory"] {
  if (typeof header !== "string" || !/^\d{1,15}$/.test(header)) return null;
  return { slotId, bytes: Number(header) };
}

/** The board server's refusal, in its own words where they are for callers. */
function errorOf({ status, body }: RawAnswer): AppError {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const { code, reason, message } = parseError(text);
  if (reason === undefined || code === undefined) {
    return new AppError("internal", "the board server failed", {
      reason: "INTERNAL",
      cause: new Error(`status ${status}`),
    });
  }
  if (code === "internal") return fail(reason, "the model failed on this request");
  return new AppError(code, message, { reason });
}

function parseError(text: string): { code?: ErrorCode; reason?: Reason; message: string } {
  try {
    const body: unknown = JSON.parse(text);
    const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
    const { code, reason } = error;
    const message = typeof error["message"] === "string" ? error["message"] : "";
    return isErrorCode(code) && isReason(reason) ? { code, reason, message } : { message };
  } catch {
    return { message: "" };
  }
}
