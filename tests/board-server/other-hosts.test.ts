import { generateKeyPairSync } from "node:crypto";
import { createServer, connect as dial } from "node:net";
import { createServer as createTlsServer, connect as dialTls, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { startTensorServer } from "@/board-server/serving/tensor-server";
import type { Slots } from "@/board-server/slots";
import type { LinkCall } from "@/gateway/core";
import { Life } from "@/gateway/intake";
import { createFrameLink } from "@/gateway/transport/frame-link";
import type { Tensor } from "@/lib/common/tensor";
import { type TlsIdentity, tlsIdentity } from "@/lib/server/board-protocol";

// Tensors between hosts: TLS on real sockets, where each side has to hold the key that the other was told of.

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const newIdentity = (): TlsIdentity => tlsIdentity(generateKeyPairSync("ed25519").privateKey);
const board = newIdentity();
const gateway = newIdentity();
const host = "127.0.0.1";
const input: Tensor = {
  name: "secret",
  datatype: "FP32",
  shape: [1, 2],
  data: Float32Array.of(3, 4),
};

/** One slot that gives back what it gets, and counts. */
function echoingSlots() {
  let asked = 0;
  const slots = {
    find: () => ({
      infer: async ({ revisionId, inputs }: { revisionId: string; inputs: readonly Tensor[] }) => {
        asked += 1;
        return { revisionId, outputs: inputs, clipped: null, timing: {}, memoryBytes: undefined };
      },
    }),
  } as unknown as Slots;
  return { slots, asked: () => asked };
}

/** @param admitted Keys of gateways that may call; they may change. */
async function startBoard(admitted: ReadonlySet<string>) {
  const { slots, asked } = echoingSlots();
  const server = await startTensorServer(
    () => slots,
    { kind: "tls", host, port: 0, reachedAt: host },
    { identity: board, admits: (key) => admitted.has(key) },
  );
  stops.push(() => server.close());
  if (server.address.kind !== "tls") throw new Error("it listens in the clear");
  return { port: server.address.port, asked };
}

function linkOf(identity: TlsIdentity | null) {
  const link = createFrameLink(identity);
  stops.push(() => link.close());
  return (
    port: number,
    { publicKey = board.publicKey, sent = input }: { publicKey?: string; sent?: Tensor } = {},
  ) => {
    const address = { kind: "tls", host, port, publicKey } as const;
    const call: LinkCall = {
      replica: {
        slotId: "slt_1",
        slotEpoch: 1,
        address,
        outstanding: 0,
        withdrawnUntilMs: 0,
        isMisplaced: false,
      },
      revisionId: "rev_1",
      id: "",
      requests: [[sent]],
      waitMs: 30_000,
      life: new Life(),
    };
    return link.infer(call);
  };
}

/** Where somebody else listens: what came to it in words. */
async function listenAs(identity: TlsIdentity) {
  const heard: Buffer[] = [];
  const server = createTlsServer(
    { key: identity.key, cert: identity.cert, requestCert: true, rejectUnauthorized: false },
    (socket) => {
      socket.on("error", () => {});
      socket.on("data", (chunk) => heard.push(chunk));
    },
  );
  await new Promise<void>((done) => server.listen(0, host, done));
  stops.push(() => new Promise((done) => server.close(() => done())));
  return { port: (server.address() as { port: number }).port, heard };
}

describe("a board server that other hosts reach", () => {
  it("answers a gateway that it knows, and what passes between them cannot be read", async () => {
    const { port, asked } = await startBoard(new Set([gateway.publicKey]));
    const seen: Buffer[] = [];
    const wire = createServer((from) => {
      const to = dial(port, host);
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        one.on("data", (chunk) => seen.push(chunk));
        one.on("error", () => {});
        one.pipe(other);
      }
    });
    await new Promise<void>((done) => wire.listen(0, host, done));
    stops.push(() => new Promise((done) => wire.close(() => done())));
    const ask = linkOf(gateway);
    const { port: tapped } = wire.address() as { port: number };
    const answers = await Promise.all([ask(tapped), ask(tapped), ask(tapped)]);
    for (const { outputs, revisionId } of answers) {
      expect(revisionId).toBe("rev_1");
      expect(outputs).toEqual([input]);
    }
    expect(asked()).toBe(3);
    const bytes = Buffer.concat(seen);
    expect(bytes.length).toBeGreaterThan(1000);
    expect(bytes.includes("secret")).toBe(false);
    expect(bytes.includes("rev_1")).toBe(false);
  });

  it("carries a message of many pieces whole", async () => {
    const { port } = await startBoard(new Set([gateway.publicKey]));
    const data = Float32Array.from({ length: 500_000 }, (_, i) => i);
    const sent: Tensor = { name: "x", datatype: "FP32", shape: [1, data.length], data };
    const { outputs } = await linkOf(gateway)(port, { sent });
    const received = outputs[0]?.data ?? [];
    expect(received.length).toBe(data.length);
    expect(data.every((value, index) => received[index] === value)).toBe(true);
  });

  it("refuses a gateway that it does not know, one without a key, and what is no TLS", async () => {
    const { port, asked } = await startBoard(new Set([gateway.publicKey]));
    await expect(linkOf(newIdentity())(port)).rejects.toMatchObject({ name: "LinkError" });
    const nameless = dialTls({ host, port, rejectUnauthorized: false });
    await expect(ended(nameless)).resolves.toBe("");
    const clear = dial(port, host);
    clear.write("GET / HTTP/1.1\r\n\r\n");
    await expect(ended(clear)).resolves.not.toContain("HTTP");
    expect(asked()).toBe(0);
    expect((await linkOf(gateway)(port)).outputs).toEqual([input]);
  });

  it("lets a gateway call as soon as it is told of it", async () => {
    const admitted = new Set<string>();
    const { port } = await startBoard(admitted);
    const ask = linkOf(gateway);
    await expect(ask(port)).rejects.toMatchObject({ name: "LinkError" });
    admitted.add(gateway.publicKey);
    expect((await ask(port)).outputs).toEqual([input]);
  });
});

describe("a gateway that calls another host", () => {
  it("sends nothing to a server with another key than the one that enrolled", async () => {
    const thief = await listenAs(newIdentity());
    await expect(linkOf(gateway)(thief.port)).rejects.toMatchObject({
      name: "LinkError",
      sent: false,
    });
    expect(Buffer.concat(thief.heard)).toHaveLength(0);
  });

  it("says what is wrong when it has no key of its own", async () => {
    const { port } = await startBoard(new Set());
    await expect(linkOf(null)(port)).rejects.toMatchObject({ reason: "LINK_INSECURE" });
  });
});

/** What came until the other side closed. */
function ended(socket: TLSSocket | ReturnType<typeof dial>): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  return new Promise((done) => socket.once("close", () => done(text)));
}
