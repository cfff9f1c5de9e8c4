import type { Server } from "node:http";
import { startTensorServer } from "@/board-server/serving/tensor-server";
import type { GatewayOptions } from "@/gateway/gateway";
import { OriginGuard, OwnerGuard, type OwnerOptions } from "@/lib/server/http";
import { createFront } from "@/portal/front";
import { createGatewayPipe } from "@/portal/gateway-pipe";
import { freePort } from "@/scripts/lib/ports.mjs";
import { startTestGateway } from "./gateway";

/** A request that a page's handler got to see. */
export interface Seen {
  readonly method: string;
  readonly url: string;
}

/** Connections that the front takes, and those of one client. */
export const mostToFront = 32;
export const mostOfClient = 24;

/** Every server that takes connections of others, on free ports: a real front over a real gateway, pages that only answer. */
export async function startServers(
  options: Partial<GatewayOptions> = {},
  owned: OwnerOptions = {},
) {
  const owner = new OwnerGuard(owned);
  const access = { owner };
  const gateway = await startTestGateway([], { access, ...options });
  const tensors = await startTensorServer(
    () => ({
      accept: async () => {},
      reports: () => [],
      taskReports: () => [],
      forgetTasks: () => {},
      callReports: () => [],
      forgetCalls: () => {},
      lineReports: () => [],
      forgetLines: () => {},
      find: () => undefined,
      close: async () => {},
    }),
    { kind: "tcp", host: "127.0.0.1", port: 0 },
  );
  const pipe = createGatewayPipe(
    `http://127.0.0.1:${gateway.httpPort}`,
    async () => owned.token ?? "the portal's own",
  );
  const seen: Seen[] = [];
  let front: Server | null = null;
  const port = await freePort();
  front = createFront({
    owner,
    guard: new OriginGuard({ known: [], opensReads: true }),
    pages(request, response) {
      seen.push({ method: request.method ?? "", url: request.url ?? "" });
      request.resume();
      response.end("a page");
    },
    gateway: pipe,
    maxConnections: mostToFront,
    maxClientConnections: mostOfClient,
  });
  await new Promise<void>((resolve) => front?.listen(port, "127.0.0.1", resolve));
  const board = tensors.address.kind === "tcp" ? tensors.address.port : 0;
  return {
    /** Requests that came as far as the pages. */
    seen,
    front,
    ports: {
      front: port,
      gateway: gateway.httpPort,
      grpc: gateway.grpcPort,
      metrics: gateway.metricsPort,
      board,
    },
    async close() {
      pipe.close();
      await new Promise<void>((resolve) => {
        front?.close(() => resolve());
        front?.closeAllConnections();
      });
      await gateway.close();
      await tensors.close();
    },
  };
}
