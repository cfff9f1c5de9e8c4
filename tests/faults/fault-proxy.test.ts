import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FaultProxy } from "@/tests/support/fault-proxy";

// A server that says what it hears, in capitals, and leaves at "bye".

let server: Server;
let proxy: FaultProxy;
let heard: string[];

beforeEach(async () => {
  heard = [];
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (piece) => {
      heard.push(`${piece}`);
      if (`${piece}` === "bye") socket.end();
      else socket.write(`${piece}`.toUpperCase());
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  proxy = await FaultProxy.start(address.port);
});
afterEach(async () => {
  await proxy.close();
  server.close();
});

const dial = (): Socket => {
  const socket = connect({ port: proxy.port, host: "127.0.0.1" });
  socket.on("error", () => {});
  return socket;
};
const open = async (): Promise<Socket> => {
  const socket = dial();
  await once(socket, "connect");
  return socket;
};
const said = async (socket: Socket, text: string) => {
  socket.write(text);
  const [piece] = await once(socket, "data");
  return `${piece}`;
};
/** How a connection ends: by a reset, or as its server ended it. */
const endOf = async (socket: Socket) => {
  let how = "end";
  socket.on("error", ({ message }) => {
    how = message.includes("ECONNRESET") ? "reset" : message;
  });
  socket.resume();
  await new Promise((done) => socket.once("close", done));
  return how;
};

describe("a fault proxy", () => {
  it("carries both ways, and the end too", async () => {
    const socket = await open();
    expect(await said(socket, "one")).toBe("ONE");
    expect(await said(socket, "two")).toBe("TWO");
    socket.write("bye");
    expect(await endOf(socket)).toBe("end");
  });

  it("makes every piece late", async () => {
    proxy.set({ kind: "latency", ms: 60 });
    const socket = await open();
    const begun = performance.now();
    expect(await said(socket, "one")).toBe("ONE");
    expect(performance.now() - begun).toBeGreaterThan(110);
  });

  it("resets connections that there are, and new ones", async () => {
    const socket = await open();
    expect(await said(socket, "one")).toBe("ONE");
    const end = endOf(socket);
    proxy.set({ kind: "reset" });
    expect(await end).toBe("reset");
    expect(await endOf(dial())).toBe("reset");
    proxy.set(null);
    expect(await said(await open(), "two")).toBe("TWO");
  });

  it("carries nothing while it is half open, and resets what was open then", async () => {
    const socket = await open();
    expect(await said(socket, "one")).toBe("ONE");
    proxy.set({ kind: "half-open" });
    socket.write("two");
    const end = endOf(socket);
    const later = await open();
    later.write("three");
    await expect.poll(() => proxy.dropped).toBe(2);
    expect(heard).toEqual(["one"]);
    proxy.set(null);
    expect(await end).toBe("reset");
  });

  it("tells an end late", async () => {
    const socket = await open();
    proxy.set({ kind: "slow-close", ms: 80 });
    const begun = performance.now();
    socket.write("bye");
    expect(await endOf(socket)).toBe("end");
    expect(performance.now() - begun).toBeGreaterThan(70);
  });

  it("loses one answer, of a connection that carried what was named, after the server has done it", async () => {
    proxy.set({ kind: "lost-answer", to: "commit", after: "mine" });
    const [mine, other] = [await open(), await open()];
    expect(await said(mine, "mine")).toBe("MINE");
    expect(await said(other, "commit")).toBe("COMMIT");
    const end = endOf(mine);
    mine.write("commit");
    expect(await end).toBe("reset");
    expect(heard).toEqual(["mine", "commit", "commit"]);
    expect(proxy.spoilt).toBe(1);
    expect(await said(await open(), "commit")).toBe("COMMIT");
  });

  it("answers in the server's place", async () => {
    proxy.set({ kind: "answer", to: "GET", text: "no" });
    const socket = await open();
    expect(await said(socket, "PUT")).toBe("PUT");
    expect(await said(socket, "GET")).toBe("no");
    expect(heard).toEqual(["PUT"]);
  });
});
