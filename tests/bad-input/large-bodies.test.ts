import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpStatusOf, toAppError } from "@/lib/common/errors";
import { OriginGuard, OwnerGuard, readBody } from "@/lib/server/http";
import { createFront } from "@/portal/front";
import { exchange } from "@/tests/support/raw";

// Bodies that are larger than their route takes, and clients that go on sending.

const limitBytes = 256 * 1024;
let front: Server;
let taken: Socket;

beforeAll(async () => {
  front = createFront({
    guard: new OriginGuard({ known: [], opensReads: true }),
    owner: new OwnerGuard(),
    // As Next.js has it: a request of the web with the other for its body, and an answer without a head of its own.
    async pages(request, response) {
      const contentLength = request.headers["content-length"];
      const asked = { method: "POST", body: request, duplex: "half" } as unknown as RequestInit;
      const { body } = new Request("http://localhost/", asked);
      try {
        response.end(String((await readBody(body, { limitBytes, contentLength })).length));
      } catch (thrown) {
        const error = toAppError(thrown);
        response.statusCode = httpStatusOf(error);
        response.end(error.reason);
      }
    },
    gateway: () => {},
    maxConnections: 100,
    maxClientConnections: 100,
  });
  front.on("connection", (socket: Socket) => {
    taken = socket;
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
});
afterAll(async () => {
  front.closeAllConnections();
  await new Promise<void>((resolve) => front.close(() => resolve()));
});

/** Sends a head, and then pieces of a body for as long as anybody takes them. */
async function pour(head: readonly string[], piece: string) {
  const socket = connect((front.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
  socket.on("error", () => {});
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  socket.write(
    ["POST /api/v1/endpoints HTTP/1.1", "Host: localhost", ...head, "", ""].join("\r\n"),
  );
  if (piece !== "") more();
  await new Promise((resolve) => socket.once("close", resolve));
  return { text, readBytes: taken.bytesRead };
}

const [chunked, chunk] = ["Transfer-Encoding: chunked", `4000\r\n${"x".repeat(0x4000)}\r\n`];

describe("a body over the limit of the API", () => {
  it.each([
    ["of no length, without an end", [chunked], chunk],
    ["of a length", ["Content-Length: 1000000000"], "x".repeat(0x4000)],
    ["of a length, of which nothing comes", ["Content-Length: 262145"], ""],
  ])(
    "%s is refused, and its connection with it: 64 KiB more are read at most",
    async (_, ...sent) => {
      const { text, readBytes } = await pour(...sent);
      expect(text).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close\r\n.*BODY_TOO_LARGE$/is);
      expect(readBytes).toBeLessThanOrEqual(limitBytes + 64 * 1024);
    },
  );

  it("leaves the connection of one that is within it", async () => {
    const { port } = front.address() as AddressInfo;
    const head = (length: number) =>
      `POST /api/v1/endpoints HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
    const fine = `${head(limitBytes)}${"x".repeat(limitBytes)}`;
    const { statuses } = await exchange(port, `${fine}${fine}${head(limitBytes + 1)}`);
    expect(statuses).toEqual([200, 200, 413]);
  });
});
