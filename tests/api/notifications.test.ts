import { createHmac } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import pino from "pino";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelBuild, claimBuild, createBuild, failBuild } from "@/domain/builds";
import { claimDelivery, sealPlainSecrets, settleDelivery } from "@/domain/notifications";
import type { Delivery, Notifications } from "@/lib/common/contract";
import { database, parseId, toId, withTransaction } from "@/lib/server/db";
import { mailServer, startDeliverer } from "@/workers/notify";
import { call, openApi } from "../support/api";
import { iris, scope } from "../support/domain";

// Who is told of builds that end: a real HTTP receiver and a real SMTP server hear of what really ends in a real database.

openApi();

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const received: Received[] = [];
let answer = 200;
let receiver: Server;
let hookUrl = "";
const mails: { readonly to: readonly string[]; readonly text: string }[] = [];
let smtp: SMTPServer;
let smtpUrl = "";

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(answer, answer === 302 ? { location: "/elsewhere" } : {}).end();
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  const { port } = receiver.address() as AddressInfo;
  hookUrl = `http://127.0.0.1:${port}/hook`;
  process.env["SOURCE_ALLOWED_HOSTS"] = `127.0.0.1:${port}`;
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _, done) =>
      done(
        address.startsWith("nobody@")
          ? Object.assign(new Error("no such user"), { responseCode: 550 })
          : null,
      ),
    onData: (stream, session, done) => {
      void text(stream).then((body) => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text: body });
        done();
      });
    },
  });
  await new Promise<void>((done) => smtp.listen(0, "127.0.0.1", done));
  smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver.close();
  await new Promise<void>((done) => smtp.close(done));
});
beforeEach(async () => {
  await database().$executeRaw`TRUNCATE webhook, mail_recipient, delivery`;
  received.length = 0;
  mails.length = 0;
  answer = 200;
});

const read = async <T>(target: string): Promise<T> =>
  (await (await call("GET", target)).json()) as T;
const post = async (target: string, json: unknown = {}) => {
  const response = await call("POST", target, { json });
  return { status: response.status, body: (await response.json()) as never };
};
const every = ["build.succeeded", "build.failed", "build.cancelled"];
const addHook = async (events = every): Promise<{ id: string; secret: string }> =>
  (await post("/notifications/webhooks", { url: hookUrl, events })).body;
const keyFile = () => process.env["CONNECTION_KEY_FILE"] ?? "";
const deliveries = async () =>
  (await read<{ items: Delivery[] }>("/notifications/deliveries")).items;

async function startBuild(name = "iris"): Promise<string> {
  const { name: endpointName, ...request } = iris(name);
  return await withTransaction((tx) =>
    createBuild(tx, {
      ...{ projectId: scope, request, boardModel: "icebreaker", boardKind: "simulated" },
      endpointName,
    }),
  );
}

async function failOne(name?: string): Promise<string> {
  const id = await startBuild(name);
  const attempt = await claimBuild(id, "worker", { leaseS: 60, deadlineS: 600 });
  const problem = { code: "internal", reason: "TOOL_FAILED", message: "it broke" } as const;
  await failBuild(id, attempt?.epoch ?? 0, problem, "failed");
  return toId("bld", id);
}

/** Sends what is due until the test is over with it. */
async function delivering(check: () => Promise<void>): Promise<void> {
  const deliverer = startDeliverer({
    webhooks: {
      policy: { allowedHosts: [new URL(hookUrl).host] },
      resolve: async () => ["127.0.0.1"],
      keyFile: keyFile(),
    },
    mail: mailServer({
      url: smtpUrl,
      from: "board@walk.example",
      portalUrl: "http://portal.example",
    }),
    sweepS: 0.05,
    log: pino({ level: "silent" }),
  });
  try {
    await check();
  } finally {
    await deliverer.close();
  }
}

/** What came of the last try of each is known. */
const untilSettled = () =>
  expect
    .poll(async () =>
      (await deliveries()).every(({ status, problem }) => status !== null || problem !== null),
    )
    .toBe(true);
/** What waits is due now. */
const hasten = () => database().$executeRaw`UPDATE delivery SET next_at = now()`;

describe("settings of notifications", () => {
  it("show a secret once, in the answer that makes it", async () => {
    const made = await addHook(["build.failed"]);
    expect(made.secret).toMatch(/^whsec_[\w-]{32}$/);
    const settings = await read<Notifications>("/notifications");
    expect(settings.webhooks).toMatchObject([
      { id: made.id, url: hookUrl, events: ["build.failed"] },
    ]);
    expect(JSON.stringify(settings)).not.toContain(made.secret);
    expect((await call("DELETE", `/notifications/webhooks/${made.id}`)).status).toBe(204);
    expect((await read<Notifications>("/notifications")).webhooks).toEqual([]);
    expect((await call("DELETE", `/notifications/webhooks/${made.id}`)).status).toBe(404);
  });

  it.each([
    "https://127.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://intranet/hook",
    "http://example.com/hook",
    "file:///etc/passwd",
    "https://user:secret@example.com/",
  ])("refuse %s", async (url) => {
    const { status, body } = await post("/notifications/webhooks", { url, events: every });
    expect([status, (body as { error: { reason: string; field: string } }).error]).toMatchObject([
      422,
      { reason: "URL_NOT_ALLOWED", field: "url" },
    ]);
  });

  it.each([
    [{ address: "no address", events: every }],
    [{ address: "a@example.com\r\nBcc: b@example.com", events: every }],
    [{ address: "a@example.com", events: [] }],
    [{ address: "a@example.com", events: ["build.exploded"] }],
  ])("refuse %j", async (recipient) => {
    expect((await post("/notifications/recipients", recipient)).status).toBe(422);
  });

  it("keep one recipient per address, with the events that were asked for last", async () => {
    await post("/notifications/recipients", { address: "a@example.com", events: every });
    await post("/notifications/recipients", { address: "a@example.com", events: ["build.failed"] });
    const { recipients, mailFrom } = await read<Notifications>("/notifications");
    expect(recipients).toMatchObject([{ address: "a@example.com", events: ["build.failed"] }]);
    expect(mailFrom).toBeNull();
  });
});

/** What the row of a webhook holds for its secret. */
const storedSecret = async (id: string) =>
  (await database().webhook.findUniqueOrThrow({ where: { id: parseId("whk", id) ?? "" } })).secret;
const signed = ({ headers, body }: Received, secret: string) => {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(`${headers["boardwalk-signature"]}`) ?? [];
  return v1 === createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
};

describe("the secret of a webhook", () => {
  it("is in no row of the database, although it signs what is sent", async () => {
    const { id, secret } = await addHook();
    await post(`/notifications/webhooks/${id}/test`);
    await delivering(untilSettled);
    expect(received.map((each) => signed(each, secret))).toEqual([true]);
    const tables = await database().$queryRaw<{ name: string }[]>`
      SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
    const rows: string[] = [];
    for (const { name } of tables) {
      const found = await database().$queryRawUnsafe<{ line: string }[]>(
        `SELECT t::text AS line FROM ${name} t`,
      );
      rows.push(...found.map(({ line }) => line));
    }
    const dump = rows.join("\n");
    expect(dump).toContain(hookUrl);
    const bare = secret.replace(/^whsec_/, "");
    for (const each of [bare, Buffer.from(secret).toString("hex"), "whsec_"])
      expect(dump).not.toContain(each);
    expect(await storedSecret(id)).toMatch(/^v1\./);
  });

  it("that a version before left as it was signs on, and is sealed as soon as it is seen", async () => {
    const { id } = await addHook();
    const secret = "whsec_of-the-version-before";
    await database().webhook.updateMany({ data: { secret } });
    await post(`/notifications/webhooks/${id}/test`);
    await delivering(async () => {
      await untilSettled();
      await expect.poll(() => storedSecret(id)).toMatch(/^v1\./);
      await post(`/notifications/webhooks/${id}/test`);
      await expect.poll(() => received.length).toBe(2);
    });
    expect(received.map((each) => signed(each, secret))).toEqual([true, true]);
  });

  it("that a version before left waits for the key, which is not made for it, and signs meanwhile", async () => {
    const { id } = await addHook();
    const secret = "whsec_of-the-version-before";
    await database().webhook.updateMany({ data: { secret } });
    await post(`/notifications/webhooks/${id}/test`);
    renameSync(keyFile(), `${keyFile()}.away`);
    await delivering(async () => {
      await untilSettled();
      expect(await sealPlainSecrets(keyFile())).toMatchObject({ again: 0, failed: [{}] });
      expect(() => readFileSync(keyFile())).toThrow("ENOENT");
      renameSync(`${keyFile()}.away`, keyFile());
      await expect.poll(() => storedSecret(id)).toMatch(/^v1\./);
    });
    expect(received.map((each) => signed(each, secret))).toEqual([true]);
  });

  it("whose key is gone is said, and the message waits until it is back", async () => {
    const { id, secret } = await addHook();
    await post(`/notifications/webhooks/${id}/test`);
    renameSync(keyFile(), `${keyFile()}.away`);
    await delivering(async () => {
      await untilSettled();
      expect(await deliveries()).toMatchObject([
        {
          ...{ state: "waiting", tries: 1, status: null },
          problem: expect.stringMatching(/cannot be signed.* is not there.*CONNECTION_KEY_FILE/),
        },
      ]);
      writeFileSync(keyFile(), `${Buffer.alloc(32, 9).toString("base64")}\n`);
      await hasten();
      await expect.poll(async () => (await deliveries())[0]?.problem).toMatch(/does not hold/);
      expect(received).toEqual([]);
      renameSync(`${keyFile()}.away`, keyFile());
      await hasten();
      await expect.poll(async () => (await deliveries())[0]?.state).toBe("delivered");
    });
    expect(received.map((each) => signed(each, secret))).toEqual([true]);
  });

  it("opens for its own webhook and address alone", async () => {
    const { id } = await addHook();
    const { id: other } = await addHook();
    await database().webhook.update({
      where: { id: parseId("whk", other) ?? "" },
      data: { secret: await storedSecret(id) },
    });
    await post(`/notifications/webhooks/${other}/test`);
    await post(`/notifications/webhooks/${id}/test`);
    const elsewhere = hookUrl.replace("/hook", "/elsewhere");
    await database().$executeRaw`
      UPDATE delivery SET address = ${elsewhere} WHERE target_id = ${parseId("whk", id)}::uuid`;
    await delivering(untilSettled);
    const failed = { state: "failed", problem: expect.stringContaining("is damaged") };
    expect(await deliveries()).toMatchObject([failed, failed]);
    expect(received).toEqual([]);
  });
});

describe("a webhook", () => {
  it("gets the end of a build, signed with its secret", async () => {
    const { secret } = await addHook();
    const id = await failOne();
    await delivering(untilSettled);
    expect(received).toHaveLength(1);
    const [{ headers, body }] = received as [Received];
    expect(signed({ headers, body }, secret)).toBe(true);
    const [, t] = /^t=(\d+),/.exec(`${headers["boardwalk-signature"]}`) ?? [];
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(60);
    expect(JSON.parse(body)).toMatchObject({
      id: headers["boardwalk-delivery"],
      type: "build.failed",
      data: { build: { id, state: "failed", endpointName: "iris", reason: "TOOL_FAILED" } },
    });
    expect(await deliveries()).toMatchObject([
      { state: "delivered", status: 200, tries: 1, buildId: id, event: "build.failed" },
    ]);
  });

  it("hears only of what it asked for", async () => {
    await addHook(["build.cancelled"]);
    await failOne();
    const id = await startBuild();
    await cancelBuild(scope, toId("bld", id));
    await delivering(untilSettled);
    expect(received.map(({ headers }) => headers["boardwalk-event"])).toEqual(["build.cancelled"]);
  });

  it("gets it again until it takes it, the same bytes under the same id", async () => {
    await addHook();
    await failOne();
    answer = 500;
    await delivering(async () => {
      await untilSettled();
      expect(await deliveries()).toMatchObject([
        { state: "waiting", status: 500, tries: 1, problem: "The receiver answered 500." },
      ]);
      answer = 502;
      await hasten();
      // Known only once what came of that try is written, and with it when the next one is due.
      await expect
        .poll(async () => (await deliveries())[0])
        .toMatchObject({ status: 502, tries: 2 });
      answer = 204;
      await hasten();
      await expect.poll(async () => (await deliveries())[0]?.state).toBe("delivered");
    });
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["boardwalk-delivery"])).size).toBe(1);
    expect(received.map(({ headers }) => headers["boardwalk-try"])).toEqual(["1", "2", "3"]);
  });

  it("is not followed elsewhere, and left alone once it says that it is gone", async () => {
    await addHook();
    await failOne();
    answer = 302;
    await delivering(async () => {
      await untilSettled();
      expect(await deliveries()).toMatchObject([{ state: "waiting", status: 302 }]);
      answer = 410;
      await hasten();
      await expect.poll(async () => (await deliveries())[0]?.state).toBe("failed");
    });
    expect(received).toHaveLength(2);
  });

  it("is given up in the end, and sent again when somebody asks", async () => {
    await addHook();
    await failOne();
    answer = 503;
    await delivering(async () => {
      // Hastened again and again: what is being sent writes its next time when it ends.
      await expect
        .poll(async () => {
          await hasten();
          return (await deliveries())[0]?.state;
        })
        .toBe("failed");
      expect((await deliveries())[0]).toMatchObject({ tries: 8, status: 503 });
      answer = 200;
      const [{ id }] = (await deliveries()) as [Delivery];
      expect((await post(`/notifications/deliveries/${id}/redeliver`)).status).toBe(202);
      await expect.poll(async () => (await deliveries())[0]?.state).toBe("delivered");
    });
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it("gets what was taken by somebody who died, and nothing is noted for a try that is over", async () => {
    await addHook();
    await failOne();
    const taken = await claimDelivery();
    expect(taken).toMatchObject({ tries: 1, event: "build.failed" });
    expect(await claimDelivery()).toBeNull();
    await hasten();
    await delivering(() =>
      expect.poll(async () => (await deliveries())[0]?.state).toBe("delivered"),
    );
    expect(received.map(({ headers }) => headers["boardwalk-delivery"])).toEqual([taken?.shownId]);
    if (taken)
      await settleDelivery(taken, {
        isDelivered: false,
        mayRetry: true,
        status: 500,
        problem: "late",
      });
    expect(await deliveries()).toMatchObject([{ state: "delivered", tries: 2, problem: null }]);
  });

  it("gets nothing once it was removed", async () => {
    const { id } = await addHook();
    await failOne();
    await call("DELETE", `/notifications/webhooks/${id}`);
    await delivering(() => expect.poll(async () => (await deliveries())[0]?.state).toBe("failed"));
    expect(received).toEqual([]);
  });

  it("that leads to a private place since its name was changed is refused when it is sent", async () => {
    await database().webhook.create({
      data: {
        id: "0190a000-0000-7000-8000-000000000001",
        projectId: scope,
        url: "https://rebound.example.com/",
        events: ["build.failed"],
        secret: "whsec_x",
      },
    });
    await failOne();
    await delivering(() => expect.poll(async () => (await deliveries())[0]?.state).toBe("failed"));
    expect((await deliveries())[0]).toMatchObject({ tries: 1, status: null });
  });

  it("is sent a test", async () => {
    const { id } = await addHook([...every]);
    expect((await post(`/notifications/webhooks/${id}/test`)).status).toBe(202);
    await delivering(untilSettled);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ type: "test" });
  });
});

describe("a notice of one build", () => {
  const ask = (build: string, receiver: string, told = true) =>
    post(`/builds/${toId("bld", build)}/notices`, { receiver, told });

  it("tells a receiver of that build alone, though it listens to other events, and once", async () => {
    const { id: hook } = await addHook(["build.succeeded"]);
    const [asked, other] = [await startBuild("asked"), await startBuild("other")];
    expect((await ask(asked, hook)).body).toEqual({ receivers: [hook] });
    expect((await ask(asked, hook)).body).toEqual({ receivers: [hook] });
    await cancelBuild(scope, toId("bld", asked));
    await cancelBuild(scope, toId("bld", other));
    await delivering(untilSettled);
    expect(received.map(({ body }) => JSON.parse(body).data.build.endpointName)).toEqual(["asked"]);
    const [{ id }] = (await deliveries()) as [Delivery];
    expect((await post(`/notifications/deliveries/${id}/redeliver`)).status).toBe(202);
  });

  it("is one message to whoever is told of all builds", async () => {
    const { id: hook } = await addHook();
    const build = await startBuild();
    await ask(build, hook);
    await cancelBuild(scope, toId("bld", build));
    expect(await deliveries()).toHaveLength(1);
  });

  it("goes by e-mail too", async () => {
    const address = "a@example.com";
    const { body } = await post("/notifications/recipients", { address, events: ["build.failed"] });
    const build = await startBuild("mailed");
    await ask(build, (body as { id: string }).id);
    await cancelBuild(scope, toId("bld", build));
    await delivering(() => expect.poll(() => mails.length).toBe(1));
    expect(mails[0]?.text).toContain("mailed, build cancelled");
  });

  it("can be taken back, and goes with its receiver", async () => {
    const { id: hook } = await addHook(["build.failed"]);
    const [one, two] = [await startBuild("one"), await startBuild("two")];
    await ask(one, hook);
    await ask(two, hook);
    expect((await ask(one, hook, false)).body).toEqual({ receivers: [] });
    await cancelBuild(scope, toId("bld", one));
    await call("DELETE", `/notifications/webhooks/${hook}`);
    expect(await read(`/builds/${toId("bld", two)}/notices`)).toEqual({ receivers: [] });
    await cancelBuild(scope, toId("bld", two));
    expect(await deliveries()).toEqual([]);
  });

  it("is refused for a build that has ended, and for a receiver that is not there", async () => {
    const { id: hook } = await addHook();
    const build = await startBuild();
    expect((await ask(build, hook.replace(/.{4}$/, "0000"))).status).toBe(404);
    await cancelBuild(scope, toId("bld", build));
    expect((await ask(build, hook)).status).toBe(409);
    expect((await call("GET", "/builds/bld_none/notices")).status).toBe(404);
  });
});

describe("e-mail", () => {
  const add = (address: string) => post("/notifications/recipients", { address, events: every });

  it("goes through an SMTP server, with what ended how and the way to its page", async () => {
    await add("somebody@example.com");
    const id = await failOne("wine");
    await delivering(untilSettled);
    const [{ to, text: mail }] = mails as [(typeof mails)[number]];
    expect(to).toEqual(["somebody@example.com"]);
    expect(mail).toMatch(/^From: board@walk\.example/m);
    expect(mail).toMatch(/^Subject: Boardwalk: wine, build failed/m);
    const [{ id: delivery, state }] = (await deliveries()) as [Delivery];
    expect(mail).toContain(`Message-ID: <${delivery}@boardwalk>`);
    expect(mail.replace(/=\r?\n/g, "")).toContain(`http://portal.example/builds/${id}`);
    expect(state).toBe("delivered");
  });

  it("that the server refuses for good is not sent again", async () => {
    await add("nobody@example.com");
    await failOne();
    await delivering(untilSettled);
    expect(await deliveries()).toMatchObject([{ state: "failed", status: 550, tries: 1 }]);
  });
});
