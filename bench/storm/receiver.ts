import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { freePort } from "@/scripts/lib/ports.mjs";
import { until } from "@/tests/support/client";
import type { Installation } from "@/tests/support/installation";

/** Somebody who is told of the end of builds. */
export interface Receiver {
  /** `host:port`, which the installation must be allowed to reach. */
  readonly host: string;
  /** Has itself told of every build that ends from now on. */
  subscribe(installation: Installation): Promise<void>;
  /** Ids of the messages about a build; of several the receiver drops doubles by them. */
  idsOf(buildId: string): ReadonlySet<string>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const told = new Map<string, Set<string>>();
  const host = `127.0.0.1:${await freePort()}`;
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request)) as { data: { build: { id: string } } };
    const ids = told.get(data.build.id) ?? new Set();
    told.set(data.build.id, ids.add(String(request.headers["boardwalk-delivery"])));
    response.end();
  });
  await new Promise<void>((done) => server.listen(Number(host.split(":")[1]), "127.0.0.1", done));
  return {
    host,
    async subscribe({ api }) {
      const events = ["build.succeeded", "build.failed", "build.cancelled"];
      const body = JSON.stringify({ url: `http://${host}/`, events });
      await until("a webhook", async () => {
        const { status } = await api("/notifications/webhooks", { method: "POST", body });
        return status === 201;
      });
    },
    idsOf: (buildId) => told.get(buildId) ?? new Set(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
