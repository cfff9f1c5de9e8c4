import { createHash, createPublicKey, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  AdoptedBoard,
  AttachedBoard,
  Command,
  PollRequest,
  SlotReport,
} from "@/lib/common/contract";
import { boardServerHeaders, signedText } from "@/lib/server/board-protocol";
import { adoptionsBy, attachmentsBy, type Signer, signedBy, type TestArtifact } from "./artifacts";

export interface FakePortal {
  readonly url: string;
  readonly code: string;
  /** Commands of the next polls; a poll that waits is answered at once. */
  command(...commands: Command[]): void;
  /** What every poll says was adopted. @param by Whose key signs it. */
  adopt(boards: AdoptedBoard[], by?: Signer): void;
  /** What every poll says is attached. @param by Whose key signs it. */
  attach(boards: AttachedBoard[], by?: Signer): void;
  /** Makes a file of an artifact available under its digest. */
  offer(artifact: TestArtifact): void;
  /** File bytes by digest, to be tampered with. */
  readonly files: Map<string, Uint8Array>;
  readonly downloads: string[];
  readonly polls: PollRequest[];
  /** Resolves with the newest report of a slot that satisfies the test. */
  until(
    slotId: string,
    test: (report: SlotReport) => boolean,
    timeoutMs?: number,
  ): Promise<SlotReport>;
  /** Answers nothing any more until `restore`. */
  vanish(): void;
  restore(): void;
  close(): Promise<void>;
}

/** The portal's side of the board protocol: nonces and signatures are really checked. */
export async function startFakePortal(signer: Signer): Promise<FakePortal> {
  const code = randomBytes(8).toString("hex");
  const files = new Map<string, Uint8Array>();
  const downloads: string[] = [];
  const polls: PollRequest[] = [];
  const listeners = new Set<() => void>();
  let publicKey: string | null = null;
  let nonce = "";
  let commands: Command[] = [];
  let adopted: { readonly boards: AdoptedBoard[]; readonly by: Signer } = {
    boards: [],
    by: signer,
  };
  let attached: { readonly boards: AttachedBoard[]; readonly by: Signer } | null = null;
  let wake = (): void => {};
  let away = false;

  const newNonce = () => {
    nonce = randomBytes(12).toString("hex");
    return nonce;
  };
  const isSigned = (request: IncomingMessage, body: Buffer): boolean => {
    const given = String(request.headers[boardServerHeaders.nonce]);
    if (publicKey === null || given !== nonce) return false;
    const x = Buffer.from(publicKey, "base64").toString("base64url");
    const text = signedText({
      method: request.method ?? "",
      path: request.url ?? "",
      nonce: given,
      bodySha256: createHash("sha256").update(body).digest("hex"),
    });
    return verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }),
      Buffer.from(String(request.headers[boardServerHeaders.signature]), "base64"),
    );
  };
  const json = (response: ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, {
      "content-type": "application/json",
      [boardServerHeaders.nonce]: nonce,
    });
    response.end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, reason: string) =>
    json(response, 401, { error: { code: "unauthenticated", reason, message: "no" } });

  const server = createServer(async (request, response) => {
    if (away) {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (request.url?.endsWith("/enrol")) {
      const enrolment = JSON.parse(body.toString());
      if (enrolment.code !== code || publicKey !== null) {
        refuse(response, "ENROLMENT_INVALID");
        return;
      }
      publicKey = enrolment.publicKey;
      const answer = {
        serverId: "bsv_test",
        nonce: newNonce(),
        signingKeys: signer.keys,
        controlKeys: signer.keys,
      };
      json(response, 200, answer);
      return;
    }
    if (!isSigned(request, body)) {
      refuse(response, "UNAUTHENTICATED");
      return;
    }
    const asked = nonce;
    newNonce();
    const file = /\/files\/(sha256:[0-9a-f]{64})$/.exec(request.url ?? "")?.[1];
    if (file !== undefined) {
      downloads.push(file);
      response.writeHead(200, { [boardServerHeaders.nonce]: nonce });
      response.end(files.get(file));
      return;
    }
    const poll = JSON.parse(body.toString()) as PollRequest;
    polls.push(poll);
    for (const listener of listeners) listener();
    if (commands.length === 0 && poll.waitS > 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        response.once("close", resolve);
        setTimeout(resolve, poll.waitS * 1000).unref();
      });
    }
    if (response.destroyed) return;
    json(response, 200, {
      nonce,
      commands: commands.map((command) => signedBy(signer, command)),
      adopted: adoptionsBy(adopted.by, adopted.boards, asked),
      ...(attached ? { attached: attachmentsBy(attached.by, attached.boards, asked) } : {}),
      signingKeys: signer.keys,
      controlKeys: signer.keys,
    });
    commands = [];
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    code,
    files,
    downloads,
    polls,
    command(...more) {
      commands.push(...more);
      wake();
    },
    adopt(boards, by = signer) {
      adopted = { boards, by };
      wake();
    },
    attach(boards, by = signer) {
      attached = { boards, by };
      wake();
    },
    offer(artifact) {
      for (const [digest, bytes] of artifact.files) files.set(digest, bytes);
    },
    until(slotId, test, timeoutMs = 20_000) {
      return new Promise((resolve, reject) => {
        const newest = () => polls.at(-1)?.slots.find((slot) => slot.slotId === slotId);
        const timer = setTimeout(() => {
          listeners.delete(look);
          reject(new Error(`the slot reports ${JSON.stringify(newest())}`));
        }, timeoutMs);
        const look = () => {
          const report = newest();
          if (!report || !test(report)) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(report);
        };
        listeners.add(look);
        look();
      });
    },
    vanish() {
      away = true;
      server.closeAllConnections();
    },
    restore() {
      away = false;
    },
    close: () =>
      new Promise((resolve) => {
        wake();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
