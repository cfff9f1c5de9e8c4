import { createHash } from "node:crypto";
import { POST as enrol } from "@/app/api/board-server/v1/enrol/route";
import { POST as poll } from "@/app/api/board-server/v1/poll/route";
import type { EnrolRequest, EnrolResponse, PollRequest } from "@/lib/common/contract";
import { boardServerHeaders, signedText } from "@/lib/server/board-protocol";
import { database } from "@/lib/server/db";
import { call } from "../support/api";
import { someKey } from "../support/artifact-archive";
import { eachCase, type Outcome, type Verdict } from "./each-case";
import { spoilJson } from "./files/json";
import { mutate } from "./mutate";
import { chance, pick, randomOf } from "./random-of";
import { fuzz } from "./settings";

const path = "/api/board-server/v1/poll";
const board = { key: "cpu-0", boardModel: "cpu", kind: "cpu", slots: 2 } as const;
const address = { kind: "unix", path: "/tmp/s" } as const;

/** A board server that is known, and signs whatever it says. */
interface EvilServer {
  readonly serverId: string;
  readonly sign: (text: string) => string;
  nonce: string;
}

async function enrolled(): Promise<EvilServer> {
  const key = someKey();
  const { code } = (await (await call("POST", "/boards/enrolments", { json: {} })).json()) as {
    code: string;
  };
  const request: EnrolRequest = {
    ...{ code, name: "evil", publicKey: key.publicKey, address },
    ...{ boards: [board], simulatedCapacity: 2 },
  };
  const body = JSON.stringify(request);
  const answer = await enrol(new Request("http://portal.test/enrol", { method: "POST", body }));
  const { serverId, nonce } = (await answer.json()) as EnrolResponse;
  return { serverId, nonce, sign: key.sign };
}

/** Sends one report, signed, and again where its nonce was used by one that was refused: the answer brings the next. */
async function report(server: EvilServer, body: Uint8Array): Promise<Response> {
  const answer = await reportOnce(server, body);
  return answer.status === 401 && answer.headers.has(boardServerHeaders.nonce)
    ? await reportOnce(server, body)
    : answer;
}

async function reportOnce(server: EvilServer, body: Uint8Array): Promise<Response> {
  const { serverId, nonce, sign } = server;
  const bodySha256 = createHash("sha256").update(body).digest("hex");
  const answer = await poll(
    new Request(`http://portal.test${path}`, {
      method: "POST",
      body: Uint8Array.from(body),
      headers: {
        [boardServerHeaders.server]: serverId,
        [boardServerHeaders.nonce]: nonce,
        [boardServerHeaders.signature]: sign(
          signedText({ method: "POST", path, nonce, bodySha256 }),
        ),
      },
      signal: AbortSignal.timeout(500),
    }),
  );
  server.nonce = answer.headers.get(boardServerHeaders.nonce) ?? nonce;
  return answer;
}

const slot = (slotId: string): PollRequest["slots"][number] => ({
  ...{ slotId, slotEpoch: 1, state: "empty", revisionId: null, artifactDigest: null },
  ...{ commandId: null, problem: { reason: "NO_SPACE", message: "full" } },
});

const surroundings: PollRequest["surroundings"] = {
  sightings: [
    {
      key: "usb-1",
      product: "b",
      serialNumber: null,
      serialPort: null,
      boardModels: ["icebreaker"],
    },
  ],
  serialPorts: ["/dev/ttyUSB0"],
};

/** Reports made by seed, of a board server that is known and evil. */
export async function reportMuch(count: number): Promise<Outcome> {
  const server = await enrolled();
  const [own] = await database().slot.findMany({ select: { id: true } });
  const good: PollRequest = {
    ...{ address, boards: [board], simulatedCapacity: 2, adopted: ["b"], attached: [], waitS: 0 },
    slots: [slot(`slt_${own?.id}`), slot("x")],
    surroundings,
    gateways: ["k"],
    tasks: [{ id: `tsk_${own?.id}`, state: "failed", rows: 1, durationMs: 1, problem: null }],
  };
  return await eachCase(count, {
    abreast: 1,
    async tryGood() {
      const { status } = await report(server, Buffer.from(JSON.stringify(good)));
      if (status !== 200) throw new Error(`a good report got ${status}`);
    },
    async tryOne(number) {
      const random = randomOf(fuzz.seed, number);
      const spoilt = spoilJson(JSON.stringify(good), random);
      const body = chance(8, random) ? mutate(spoilt, random) : spoilt;
      const isForged = chance(12, random);
      const sent = isForged ? { ...server, nonce: pick(["", "x", "a\u00ff"], random) } : server;
      return await verdictOf(await (isForged ? reportOnce : report)(sent, body), body);
    },
  });
}

async function verdictOf(answer: Response, body: Uint8Array): Promise<Verdict> {
  const text = await answer.text();
  if (answer.status === 200) return { said: ["200"], fault: null };
  const { error } = JSON.parse(text) as { error?: { reason?: string; message?: string } };
  const isPrecise = answer.status < 500 && error?.reason && error.message;
  const shown = Buffer.from(body).toString("latin1").slice(0, 700);
  return isPrecise
    ? { said: [`${answer.status} ${error.reason}`], fault: null }
    : { said: [], fault: `${answer.status} ${text.slice(0, 200)} to ${shown}` };
}
