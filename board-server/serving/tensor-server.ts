import { chmod, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fail, httpStatusOf, toAppError } from "@/lib/common/errors";
import { joinMessage, parseInferRequest, writeInferResponse } from "@/lib/common/tensor";
import { inferHeaders, type TensorAddress } from "@/lib/server/board-protocol";
import { createGuardedServer, notOwner, OwnerGuard, portOf } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import type { Slots } from "../slots";
import { readBody } from "./read-body";

const headerLengthName = "inference-header-content-length";
const routePattern = /^\/slots\/([A-Za-z0-9_-]{1,80})\/infer$/;
const allBlobs = { outputs: [], binaryOutput: true } as const;

/** Where to listen: a socket's path, or a TCP address; port 0 is any that is free. */
export type ListenAddress =
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number };

/** A running server of tensors. */
export interface TensorServer {
  /** Where the gateway reaches it. */
  readonly address: TensorAddress;
  close(): Promise<void>;
}

/** Serves `POST /slots/<slotId>/infer`, binary V2 both ways, and `GET /live` to the gateway of this host. */
export async function startTensorServer(
  slots: () => Slots,
  listen: ListenAddress,
): Promise<TensorServer> {
  const owner = new OwnerGuard();
  const server = createGuardedServer({}, async (request, response) => {
    // A Unix socket's file is the owner's alone. Over TCP only the gateway calls, which runs as the same user.
    if (listen.kind === "tcp" && (await owner.identify(request)) === "other") {
      refuse(request, response, notOwner("other"));
      return;
    }
    if (request.url === "/live") {
      response.writeHead(200, { "content-length": 0 });
      response.end();
    } else void answer(slots(), request, response);
  });
  // The gateway keeps connections; it closes them, not we.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 120_000;
  server.headersTimeout = 10_000;
  if (listen.kind === "unix") await rm(listen.path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (listen.kind === "unix") server.listen(listen.path, resolve);
    else server.listen(listen.port, listen.host, resolve);
  });
  if (listen.kind === "unix") await chmod(listen.path, 0o600);
  return {
    address:
      listen.kind === "unix" ? listen : { kind: "tcp", host: listen.host, port: portOf(server) },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

async function answer(slots: Slots, request: IncomingMessage, response: ServerResponse) {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    const slotId = routePattern.exec(request.url ?? "")?.[1];
    if (slotId === undefined || request.method !== "POST") {
      throw fail("NOT_FOUND", "There is no such thing on a board server.");
    }
    const body = await readBody(request);
    const slot = slots.find(slotId);
    if (!slot) throw fail("REVISION_MISMATCH", `Slot ${slotId} is not on this server.`);
    const { headers } = request;
    const { inputs, id } = parseInferRequest(body, {
      headerLength: integer(headers[headerLengthName]) ?? body.length,
    });
    const { revisionId, outputs, clipped, timing, memoryBytes, direct } = await slot.infer({
      revisionId: String(headers[inferHeaders.revision] ?? ""),
      slotEpoch: integer(headers[inferHeaders.slotEpoch]) ?? -1,
      inputs,
      waitMs: integer(headers[inferHeaders.deadlineMs]) ?? 60_000,
      signal: gone.signal,
    });
    const { body: answerBody, headerLength } = joinMessage(
      writeInferResponse({ modelName: slotId, modelVersion: "", id, outputs }, allBlobs),
    );
    response.writeHead(200, {
      "content-type": "application/octet-stream",
      "content-length": answerBody.length,
      [headerLengthName]: headerLength,
      [inferHeaders.revision]: revisionId,
      [inferHeaders.timing]: JSON.stringify(timing),
      ...(clipped === null ? {} : { [inferHeaders.clipped]: clipped.join() }),
      ...(memoryBytes === undefined ? {} : { [inferHeaders.memory]: memoryBytes }),
      ...(direct === undefined ? {} : { [inferHeaders.direct]: direct }),
    });
    response.end(answerBody);
  } catch (thrown) {
    refuse(request, response, thrown);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
  const error = toAppError(thrown);
  if (error.reason === "INTERNAL") logger().error({ err: thrown }, "inference failed");
  if (response.destroyed || response.headersSent) return;
  const { code, reason, message } = error;
  const body = Buffer.from(JSON.stringify({ error: { code, reason, message } }));
  response.writeHead(httpStatusOf(error), {
    "content-type": "application/json",
    "content-length": body.length,
    ...(request.complete ? {} : { connection: "close" }),
  });
  response.end(body);
}

function integer(header: string | string[] | undefined): number | undefined {
  return typeof header === "string" && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
