import { afterEach, describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { GrpcClient, type GrpcServer, type Method, startGrpcServer } from ".";

const path = "/test.Words/say";
const bytes = (text: string) => new TextEncoder().encode(text);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A promise that somebody else keeps. */
function bell() {
  let resolve = () => {};
  const promise = new Promise<void>((kept) => {
    resolve = kept;
  });
  return { promise, resolve };
}

async function serve(method: Method, port = 0): Promise<GrpcServer> {
  const methods = new Map([[path, method]]);
  const server = await startGrpcServer({ host: "127.0.0.1", port, maxMessageBytes: 100, methods });
  closing.push(() => server.close());
  return server;
}

function clientOf({ port }: { readonly port: number }): GrpcClient {
  const client = new GrpcClient(`127.0.0.1:${port}`);
  closing.push(() => client.close());
  return client;
}

const asked = { path, message: bytes("hello"), timeoutMs: 30_000, maxBytes: 50 };
const call = { ...asked, maxMessages: 3, onMessage: () => {} };

describe("a call", () => {
  it("brings each answer as it is sent", async () => {
    const client = clientOf(
      await serve(async ({ message, send }) => {
        for (const each of message) send(Uint8Array.of(each));
      }),
    );
    const heard: number[] = [];
    await client.stream({ ...call, maxMessages: 5, onMessage: ([each = 0]) => heard.push(each) });
    expect(String.fromCharCode(...heard)).toBe("hello");
  });

  it.each<[string, Method, string]>([
    [
      "more answers than asked",
      async ({ send }) => void "abcd".split("").map((each) => send(bytes(each))),
      "UPSTREAM_MISMATCH",
    ],
    ["too long an answer", async ({ send }) => send(new Uint8Array(51)), "BODY_TOO_LARGE"],
    ["an error of the server", () => Promise.reject(fail("MODEL_NOT_READY", "")), "LINK_FAILED"],
  ])("ends with an error at %s, and the next call is made", async (_, method, reason) => {
    let isBad = true;
    const client = clientOf(
      await serve(async (served) => (isBad ? method(served) : served.send(bytes("well")))),
    );
    await expect(client.stream(call)).rejects.toMatchObject({ reason });
    isBad = false;
    expect(new TextDecoder().decode(await client.unary(asked))).toBe("well");
  });

  it("ends when the one who hears it throws, and the server hears that", async () => {
    const heard = bell();
    const client = clientOf(
      await serve(async ({ send, signal }) => {
        send(bytes("a"));
        signal.addEventListener("abort", () => heard.resolve());
        await heard.promise;
      }),
    );
    const onMessage = () => {
      throw fail("INFER_INVALID", "");
    };
    await expect(client.stream({ ...call, onMessage })).rejects.toMatchObject({
      reason: "INFER_INVALID",
    });
    await heard.promise;
  });

  it("is given up by its caller, before and after it began", async () => {
    const began = bell();
    const client = clientOf(
      await serve(async ({ signal }) => {
        began.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }),
    );
    const caller = new AbortController();
    const ended = client.stream({ ...call, signal: caller.signal });
    void began.promise.then(() => caller.abort());
    await expect(ended).rejects.toMatchObject({ reason: "CANCELLED" });
    await expect(client.stream({ ...call, signal: caller.signal })).rejects.toMatchObject({
      reason: "CANCELLED",
    });
  });

  it("finds a server that was started again", async () => {
    const say: Method = async ({ send }) => send(bytes("well"));
    const server = await serve(say);
    const client = clientOf(server);
    await client.unary(asked);
    await server.close();
    await expect(client.unary(asked)).rejects.toMatchObject({ reason: "LINK_FAILED" });
    await serve(say, server.port);
    await expect.poll(() => client.unary(asked).then(String, () => "away")).toBe("well");
  });
});
