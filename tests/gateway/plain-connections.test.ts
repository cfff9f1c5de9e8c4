import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { startTestGateway } from "@/tests/support/gateway";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// One connection as clients really use it: requests in any pieces, several at once, and other ones in between.

const model = standardModels().find(({ name }) => name === "matrix")!;
let board: FakeBoard;
let gateway: Gateway;
let gate = Promise.resolve();
let socket: Socket;
let text = "";

beforeEach(async () => {
  gate = Promise.resolve();
  board = await startFakeBoard();
  const run: typeof model.run = async (inputs) => {
    await gate;
    return model.run(inputs);
  };
  gateway = await startTestGateway([serve(board, { ...model, run })]);
  const ready = `http://127.0.0.1:${gateway.httpPort}/v2/models/matrix/ready`;
  await expect.poll(async () => (await fetch(ready)).status).toBe(200);
  text = "";
  socket = connect({ host: "127.0.0.1", port: gateway.httpPort, noDelay: true });
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.on("error", () => {});
  await once(socket, "connect");
});
afterEach(async () => {
  socket.destroy();
  await gateway.close();
  await board.close();
});

/** An inference as most clients write it; its id comes back. */
function inferenceOf(id: string, { name = "matrix", headers = "" } = {}): string {
  const [{ name: input = "", shape = [], datatype = "" } = {}] = model.inputs;
  const exact = shape.map((each) => Math.max(1, each));
  const data = Array(exact.reduce((product, each) => product * each, 1)).fill(1);
  const body = JSON.stringify({ id, inputs: [{ name: input, shape: exact, datatype, data }] });
  return `POST /v2/models/${name}/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
}

const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
const ids = () => [...text.matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id);
const untilAnswered = (count: number) =>
  expect.poll(() => statuses().length, { timeout: 20_000 }).toBe(count);

describe("requests on one connection", () => {
  it.each([
    ["in one piece", (bytes: string) => [bytes]],
    ["head and body apart", (bytes: string) => bytes.split(/(?<=\r\n\r\n)/)],
    ["cut within the head", (bytes: string) => [bytes.slice(0, 40), bytes.slice(40)]],
    ["byte by byte", (bytes: string) => [...bytes]],
  ])("are answered %s, and again", async (_how, cut) => {
    for (const id of ["first", "second"]) {
      for (const piece of cut(inferenceOf(id))) {
        socket.write(piece);
        await sleep(1);
      }
      await expect.poll(ids, { timeout: 20_000 }).toContain(id);
    }
    expect(statuses()).toEqual([200, 200]);
  });

  it("are answered in their order when they come at once, however many", async () => {
    const wanted = Array.from({ length: 1000 }, (_, at) => `request-${at}`);
    socket.write(wanted.map((id) => inferenceOf(id)).join(""));
    await untilAnswered(wanted.length);
    expect(ids()).toEqual(wanted);
  });

  it("may be of other kinds in between, also when they come at once", async () => {
    const get = "GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.write(inferenceOf("a") + inferenceOf("b") + get + inferenceOf("c"));
    await untilAnswered(4);
    socket.write(get + inferenceOf("d", { headers: "Expect: nothing\r\n" }));
    await untilAnswered(6);
    expect(statuses()).toEqual([200, 200, 200, 200, 200, 417]);
    expect(ids()).toEqual(["a", "b", "c"]);
  });

  it("go on after one that was wrong", async () => {
    socket.write(inferenceOf("a", { name: "nobody" }));
    await untilAnswered(1);
    socket.write(inferenceOf("b").replace('"shape"', '"shale"'));
    await untilAnswered(2);
    socket.write(inferenceOf("c"));
    await untilAnswered(3);
    expect(statuses()).toEqual([404, 400, 200]);
    expect(text).toContain("Keep-Alive: timeout=75");
  });

  it("are answered while the gateway leaves, and that was the last", async () => {
    let open = () => {};
    gate = new Promise((resolve) => (open = resolve));
    socket.write(inferenceOf("a"));
    await expect.poll(() => board.seen.length).toBe(1);
    const closing = gateway.close();
    await sleep(300);
    open();
    await once(socket, "close");
    await closing;
    expect(ids()).toEqual(["a"]);
    expect(text).toContain("Connection: close");
  });

  it("have ended with the gateway when nothing is under way", async () => {
    socket.write(inferenceOf("a"));
    await untilAnswered(1);
    const closed = once(socket, "close");
    await gateway.close();
    await closed;
  });
});
