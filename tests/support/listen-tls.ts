import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const tls = (name: string) => readFileSync(join("tests/fixtures/tls", name));

/** What a server on loopback was asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

/** A server over TLS on loopback, with the certificate of `tests/fixtures/tls`, that keeps what it was asked. */
export interface TlsServer {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** Starts a server whose answers a test gives. */
export async function listenTls(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TlsServer> {
  const asked: Asked[] = [];
  const server = createServer(
    { cert: tls("server.pem"), key: tls("server.key") },
    (request, response) => {
      const { method = "", url = "", headers } = request;
      asked.push({ method, path: url, authorization: headers.authorization });
      answer(request, response);
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
