import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Random } from "@/compiler/random";
import { damage, oddIntegers } from "../files/damage";
import { chance, pick, randomOf } from "../random-of";
import { fuzz } from "../settings";
import { oddLocation } from "./odd-urls";

const tls = (name: string) => readFileSync(`tests/fixtures/tls/${name}`, "utf8");

/** A server that may be fetched from and answers as none should, and a place where nobody may connect to. */
export interface OddServer {
  /** `host:port` */
  readonly listed: string;
  /** The port of the place. */
  readonly sink: number;
  readonly ca: string;
  /** Connections to that place. */
  strangers(): number;
  close(): void;
}

/** Every answer is made of how many were given before: which one a case gets depends on those beside it. */
export async function startOddServer(): Promise<OddServer> {
  let strangers = 0;
  let answered = 0;
  const sink = createServer((socket) => {
    strangers += 1;
    socket.destroy();
  });
  const places = { listed: "", sink: 0 };
  const server = createTlsServer({ cert: tls("server.pem"), key: tls("server.key") }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      answered += 1;
      socket.end(oddAnswer(randomOf(fuzz.seed, answered), places));
    });
  });
  server.on("tlsClientError", () => {});
  for (const each of [server, sink] as Server[]) {
    each.listen(0, "127.0.0.1");
    await once(each, "listening");
  }
  const portOf = (of: Server) => (of.address() as AddressInfo).port;
  places.listed = `127.0.0.1:${portOf(server)}`;
  places.sink = portOf(sink);
  return {
    ...places,
    ca: tls("ca.pem"),
    strangers: () => strangers,
    close() {
      server.close();
      sink.close();
    },
  };
}

function oddAnswer(random: Random, places: { listed: string; sink: number }): Uint8Array {
  const body = Buffer.alloc(random.integer(0, 3000), "x");
  const isLeading = chance(2, random);
  const status = isLeading
    ? pick([301, 302, 303, 307, 308, 300, 304], random)
    : pick([200, 200, 200, 204, 206, 401, 403, 404, 410, 418, 429, 500, 503, 999, 0], random);
  const length = chance(3, random) ? pick(oddIntegers, random) : body.length;
  const headers = [
    ...(isLeading ? [`location: ${oddLocation(random, places)}`] : []),
    ...(chance(6, random) ? ["transfer-encoding: chunked"] : [`content-length: ${length}`]),
    ...(chance(6, random) ? [`content-encoding: ${pick(["gzip", "br", "x"], random)}`] : []),
    ...(chance(10, random) ? [`x: ${"y".repeat(20_000)}`] : []),
  ];
  const head = Buffer.from(`HTTP/1.1 ${status} X\r\n${headers.join("\r\n")}\r\n\r\n`, "latin1");
  const whole = Buffer.concat([head, body]);
  return chance(8, random) ? damage(whole, random, whole) : whole;
}
