import { connect } from "node:net";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { startTestGateway } from "@/tests/support/gateway";

// Bare connections that wait, some for more than a minute: all at once, since each takes as long as it takes.

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startTestGateway([]);
});
afterAll(() => gateway.close());

const live = "GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection, what came on it, and when it was closed by the other side. */
function open() {
  const socket = connect(gateway.httpPort, "127.0.0.1");
  const start = performance.now();
  const state = { text: "", closedS: Number.NaN };
  socket.on("data", (chunk) => {
    state.text += chunk.toString();
  });
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      state.closedS = (performance.now() - start) / 1000;
      resolve();
    });
  });
  return { socket, state, closed };
}

describe.concurrent("a connection", () => {
  it("89 that was idle for a minute is still good", async ({ expect }) => {
    const { socket, state } = open();
    socket.write(live);
    await expect.poll(() => state.text).toContain('"live":true');
    state.text = "";
    await pause(60_500);
    socket.write(live);
    await expect.poll(() => state.text).toContain('"live":true');
    socket.destroy();
  });

  it("that stays idle is closed", async ({ expect }) => {
    const { socket, state, closed } = open();
    socket.write(live);
    await closed;
    expect(state.text).toContain('"live":true');
    expect(state.closedS).toBeGreaterThan(65);
  });

  it("that says its headers too slowly is closed with a word", async ({ expect }) => {
    const { socket, state, closed } = open();
    socket.write("GET /v2 HTTP/1.1\r\n");
    const drip = setInterval(() => socket.write("X: y\r\n"), 1000);
    await closed;
    clearInterval(drip);
    expect(state.text).toMatch(/^HTTP\/1.1 408 [\s\S]*too slowly/);
    expect(state.closedS).toBeLessThan(50);
  });

  it("that says its body too slowly is closed with a word", async ({ expect }) => {
    const { socket, state, closed } = open();
    socket.write(
      "POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
    );
    const drip = setInterval(() => socket.write(" "), 1000);
    await closed;
    clearInterval(drip);
    expect(state.text).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(state.closedS).toBeLessThan(200);
  });
});
