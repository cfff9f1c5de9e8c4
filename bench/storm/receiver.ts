import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { until } from "@/tests/support/client";
import type { Installation } from "@/tests/support/installation";
import type { Ledger } from "./ledger";

/** Somebody who is told of the end of builds, and writes the ids of the messages into the ledger. */
export interface Receiver {
  /** Has itself told of every build that ends from now on. */
  subscribe(installation: Installation): Promise<void>;
  close(): void;
}

export async function startReceiver(ledger: Ledger, port: number): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request)) as { data: { build: { id: string } } };
    const { told } = ledger;
    const ids = new Set(told.get(data.build.id)).add(String(request.headers["boardwalk-delivery"]));
    told.set(data.build.id, [...ids]);
    ledger.keep();
    response.end();
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return {
    async subscribe({ api }) {
      const events = ["build.succeeded", "build.failed", "build.cancelled"];
      const body = JSON.stringify({ url: `http://127.0.0.1:${port}/`, events });
      await until("a webhook", async () => {
        const { status } = await api("/notifications/webhooks", { method: "POST", body });
        return status === 201;
      });
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
