import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProjectConnection } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { digestOf } from "@/lib/server/digest";
import { S3Store } from "@/lib/server/storage";
import { call, portal } from "../support/api";
import { variantOf } from "../support/client";
import { type FakeHub, startFakeHub } from "../support/fake-hub";
import { type FakeRegistry, startFakeRegistry } from "../support/fake-registry";
import { listenTls, type TlsServer } from "../support/listen-tls";
import { bring, joinFirst, type SignedIn } from "../support/people";
import { startS3, type TestS3 } from "../support/versitygw";
import { startWorkerStack, type WorkerStack } from "../workers/worker-stack";

// Connections of a project, through the API and a build worker on real stores: Postgres, Redis, versitygw over TLS, a host
// that asks for a login, and fakes of a registry and a hub (a real registry: tests/judges/registry.test.ts).

const secrets = {
  accessKey: "labaccess-u81k2",
  secretKey: "labsecret/7f3a+x90Qz",
  token: "glpat-Zx81_kk20Qwvb7",
  password: "registry-password-55aB",
  hubToken: "hf_QmZ81kkPp20Qwvb7Lk",
};
const model = Buffer.from(variantOf("iris-mlp", "of the laboratory"));
const card = readFileSync("public/samples/iris-mlp/card.json");
const login = { user: "ana", password: secrets.password };
const keys = { accessKey: secrets.accessKey, secretKey: secrets.secretKey };

let stack: WorkerStack;
let worker: ReturnType<WorkerStack["startBuilder"]>;
let lab: TestS3;
let forge: TlsServer;
let registry: FakeRegistry;
let hub: FakeHub;
/** Gives tokens for the registry, on another host. */
let tokens: TlsServer;
let owner: SignedIn;
let builder: SignedIn;
let viewer: SignedIn;
/** Admin of another project. */
let stranger: SignedIn;

beforeAll(async () => {
  lab = await startS3({ ...keys, secure: true });
  const store = new S3Store({
    ...lab.options,
    ca: readFileSync("tests/fixtures/tls/ca.pem", "utf8"),
  });
  for (const bucket of ["models", "calibration"]) await store.ensureBucket(bucket);
  await store.put("models", "iris/x.onnx", model, { sizeBytes: model.length });
  store.close();
  forge = await listenTls(({ headers, url }, response) => {
    if (headers.authorization !== `Bearer ${secrets.token}`) response.writeHead(401).end();
    else if (url === "/model.onnx") response.end(model);
    else response.writeHead(404).end();
  });
  registry = await startFakeRegistry(login);
  registry.push("models/iris", "v1", { "iris.onnx": model });
  registry.push("models/many", "v1", { "iris.onnx": model, "card.json": card });
  const image = registry.push("models/list", "v1", { "iris.onnx": model });
  const listed = {
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    digest: image,
    size: 1,
  };
  const list = (...manifests: object[]) => JSON.stringify({ schemaVersion: 2, manifests });
  registry.pushManifest("models/list", "one", list(listed));
  registry.pushManifest("models/list", "two", list(listed, listed));
  registry.pushManifest("models/list", "odd", '{"schemaVersion":2,"layers":[]}');
  registry.pushManifest("models/list", "page", "<html>");
  tokens = await listenTls((_, response) =>
    response.end(JSON.stringify({ access_token: registry.givenToken })),
  );
  hub = await startFakeHub(secrets.hubToken, {
    "lab/iris/main/model.onnx": model,
    "lab/iris/v2/deep/model.onnx": model,
    "lab/iris/v2/deep/card.json": card,
  });
  const hosts = [
    new URL(lab.options.endpoint).host,
    forge,
    registry,
    registry.blobStore,
    hub,
    hub.files,
    tokens,
  ];
  process.env["PORTAL_URL"] = portal;
  process.env["BOARDWALK_ACCOUNTS"] = "on";
  process.env["SOURCE_CA_FILE"] = join(process.cwd(), "tests/fixtures/tls/ca.pem");
  process.env["SOURCE_ALLOWED_HOSTS"] = hosts
    .map((each) => (typeof each === "string" ? each : each.host))
    .join(",");
  stack = await startWorkerStack({ concurrency: 2 });
  worker = stack.startBuilder({ inspects: true });
  owner = await joinFirst("ada");
  builder = await bring(owner, "ben", "builder");
  viewer = await bring(owner, "vera", "viewer");
  const made = await call("POST", "/projects", { json: { name: "astro" }, ...owner });
  const project = ((await made.json()) as { id: string }).id;
  const me = (await (await call("GET", "/me", owner)).json()) as {
    projects: { id: string; name: string }[];
  };
  await call("POST", "/me/project", { json: { project }, ...owner });
  stranger = await bring(owner, "stan", "admin");
  const first = me.projects.find(({ name }) => name === "default")?.id;
  await call("POST", "/me/project", { json: { project: first }, ...owner });
});
afterAll(async () => {
  await worker?.close();
  await stack?.stop();
  await Promise.all([
    tokens?.close(),
    forge?.close(),
    registry?.close(),
    hub?.close(),
    lab?.stop(),
  ]);
});

const s3 = (change: object = {}) => ({
  kind: "s3",
  name: "lab",
  place: { endpoint: lab.options.endpoint, buckets: ["models"] },
  secret: keys,
  ...change,
});
const ofForge = (change: object = {}) => ({
  kind: "https",
  name: "forge",
  place: { host: forge.host },
  secret: { token: secrets.token },
  ...change,
});
const ofRegistry = (change: object = {}) => ({
  kind: "oci",
  name: "registry",
  place: { registry: registry.host },
  secret: login,
  ...change,
});
const ofHub = (change: object = {}) => ({
  kind: "huggingface",
  name: "hub",
  place: { endpoint: `https://${hub.host}` },
  secret: { token: secrets.hubToken },
  ...change,
});

/** All that the API ever said, to be searched for secrets in the end. */
const said: string[] = [];
async function ask(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  target: string,
  who: SignedIn,
  json?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
): Promise<{ status: number; body: any }> {
  const answer = await call(method, target, { ...who, ...(json === undefined ? {} : { json }) });
  const text = await answer.text();
  said.push(text);
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
}
async function make(wanted: object, who = owner): Promise<ProjectConnection> {
  const { status, body } = await ask("POST", "/connections", who, wanted);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}
const reasonOf = ({ status, body }: { status: number; body: { error?: { reason: string } } }) =>
  `${status} ${body?.error?.reason}`;

describe("a connection", () => {
  beforeEach(async () => {
    await database().connection.deleteMany();
  });

  it.each([
    ["s3", () => s3(), /models can be listed/],
    ["https", () => ofForge(), /answered 404/],
    ["oci", () => ofRegistry(), /knows the login/],
    ["huggingface", () => ofHub(), /knows the token as boardwalk-lab/],
  ])("of kind %s is tested, kept, and shown without its secret", async (kind, wanted, words) => {
    const made = await make(wanted());
    expect(made).toMatchObject({
      kind,
      id: expect.stringMatching(/^con_/),
      secretSetAt: expect.any(String),
      lastTest: { ok: true, said: expect.stringMatching(words), reason: null },
      usedBy: { count: 0, names: [] },
    });
    expect(made).not.toHaveProperty("secret");
    expect((await ask("GET", "/connections", builder)).body.items).toEqual([made]);
    expect((await ask("GET", `/connections/${made.id}`, builder)).body).toEqual(made);
    const [row] = await database().$queryRaw<{ secret: string }[]>`SELECT secret FROM connection`;
    expect(row?.secret).toMatch(/^v1\.[0-9a-f]{16}\.[\w-]{16}\./);
  });

  it.each([
    [
      "a wrong secret key",
      () => s3({ secret: { ...keys, secretKey: "wrong-secret-key" } }),
      "422 SOURCE_LOGIN_REFUSED",
    ],
    [
      "a bucket that is not there",
      () => s3({ place: { endpoint: lab.options.endpoint, buckets: ["nowhere"] } }),
      "422 SOURCE_NOT_FOUND",
    ],
    ["a wrong token", () => ofForge({ secret: { token: "wrong" } }), "422 SOURCE_LOGIN_REFUSED"],
    [
      "a wrong password",
      () => ofRegistry({ secret: { ...login, password: "wrong" } }),
      "422 SOURCE_LOGIN_REFUSED",
    ],
    [
      "no login where one is wanted",
      () => ofRegistry({ secret: undefined }),
      "422 SOURCE_LOGIN_REFUSED",
    ],
    [
      "a hub that does not know the token",
      () => ofHub({ secret: { token: "hf_wrong" } }),
      "422 SOURCE_LOGIN_REFUSED",
    ],
    [
      "a registry that is none",
      () => ofRegistry({ place: { registry: forge.host } }),
      "422 SOURCE_LOGIN_REFUSED",
    ],
  ])("with %s is kept only untested", async (_, wanted, reason) => {
    const refused = await ask("POST", "/connections", owner, wanted());
    expect(reasonOf(refused)).toBe(reason);
    expect(refused.body.error.details).toEqual({ untested: true });
    expect(await database().connection.count()).toBe(0);
    const kept = await make({ ...wanted(), untested: true });
    expect(kept.lastTest).toBeNull();
    const tested = await ask("POST", `/connections/${kept.id}/test`, owner, {});
    expect(tested.body.lastTest).toMatchObject({ ok: false, reason: reason.slice(4) });
  });

  it("leads to no private place, whatever listens there, and says the same of all of them", async () => {
    const listening = createTcpServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => listening.once("listening", resolve));
    const { port } = listening.address() as { port: number };
    const answers = new Set<string>();
    for (const host of [
      `127.0.0.1:${port}`,
      "127.0.0.1:1",
      "10.0.0.1",
      "[::1]:5432",
      "localhost",
      "169.254.169.254",
      "0x7f.1",
    ]) {
      for (const wanted of [
        ofForge({ place: { host } }),
        s3({ place: { endpoint: `https://${host}`, buckets: ["models"] } }),
        ofRegistry({ place: { registry: host } }),
        ofRegistry({ place: { registry: registry.host, tokenHost: host } }),
        ofHub({ place: { endpoint: `https://${host}` } }),
      ]) {
        for (const untested of [true, false]) {
          const { status, body } = await ask("POST", "/connections", owner, {
            ...wanted,
            untested,
          });
          answers.add(
            `${status} ${body.error?.reason} ${body.error?.message.replace("names a port", "is not public")}`,
          );
        }
      }
    }
    expect([...answers]).toEqual(["422 URL_NOT_ALLOWED This address is not public."]);
    listening.close();
  });

  it("goes over https alone, and never to what is Boardwalk's own", async () => {
    for (const wanted of [
      s3({ place: { endpoint: "http://store.example.com", buckets: ["models"] } }),
      ofRegistry({ place: { registry: "http://registry.example.com" } }),
      ofHub({ place: { endpoint: "http://hub.example.com" } }),
      s3({ place: { endpoint: lab.options.endpoint, buckets: ["artifacts"] } }),
      s3({ place: { endpoint: lab.options.endpoint, buckets: ["boardwalk-samples"] } }),
    ])
      expect(
        reasonOf(await ask("POST", "/connections", owner, { ...wanted, untested: true })),
      ).toBe("422 URL_NOT_ALLOWED");
  });

  it.each([
    [
      "a path",
      () => s3({ place: { endpoint: "https://store.example.com/x", buckets: ["models"] } }),
    ],
    ["a login in its address", () => ofHub({ place: { endpoint: "https://u:p@hub.example.com" } })],
    [
      "a bucket that is none",
      () => s3({ place: { endpoint: lab.options.endpoint, buckets: ["Mo dels"] } }),
    ],
    ["a secret of another kind", () => s3({ secret: { token: "x" } })],
    ["no secret", () => s3({ secret: undefined })],
    ["a header in its secret", () => ofForge({ secret: { token: "x\r\nhost: y" } })],
    ["what no kind has", () => ofForge({ place: { host: forge.host, proxy: "x" } })],
    ["a kind that there is not", () => ofForge({ kind: "ftp" })],
    ["a name that is none", () => ofForge({ name: "<b>" })],
  ])("with %s is refused", async (_, wanted) => {
    const { status } = await ask("POST", "/connections", owner, { ...wanted(), untested: true });
    expect(status).toBe(422);
  });

  it("stands once by its name, its buckets and its host, also where two are made at once", async () => {
    await make(s3({ untested: true }));
    const again = { name: "other", untested: true };
    expect(reasonOf(await ask("POST", "/connections", owner, s3({ untested: true })))).toBe(
      "409 NAME_TAKEN",
    );
    expect(reasonOf(await ask("POST", "/connections", owner, s3(again)))).toBe(
      "409 CONNECTION_TAKEN",
    );
    const both = await Promise.all(
      ["one", "two"].map((name) =>
        ask("POST", "/connections", owner, ofForge({ name, untested: true })),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe("a secret", () => {
  beforeEach(async () => {
    await database().connection.deleteMany();
  });

  it("is replaced, and shown by nothing", async () => {
    const made = await make(s3());
    const wrong = { accessKey: secrets.accessKey, secretKey: "wrong-secret-key" };
    const refused = await ask("PATCH", `/connections/${made.id}`, owner, { secret: wrong });
    expect(reasonOf(refused)).toBe("422 SOURCE_LOGIN_REFUSED");
    const tested = await ask("POST", `/connections/${made.id}/test`, owner, {});
    expect(tested.body.lastTest.ok).toBe(true);
    const { body } = await ask("PATCH", `/connections/${made.id}`, owner, {
      secret: keys,
      name: "lab-2",
    });
    expect(body).toMatchObject({ name: "lab-2", lastTest: { ok: true } });
    expect(Date.parse(body.secretSetAt)).toBeGreaterThan(Date.parse(made.secretSetAt ?? ""));
  });

  it("stays with its host: for another one it is asked for again", async () => {
    const other = await listenTls((_, response) => response.end("mine now"));
    for (const [wanted, place] of [
      [s3(), { endpoint: "https://evil.example.com", buckets: ["models"] }],
      [ofForge(), { host: "evil.example.com" }],
      [ofRegistry(), { registry: "evil.example.com" }],
      [ofRegistry(), { registry: registry.host, tokenHost: "evil.example.com" }],
      [ofHub(), { endpoint: "https://evil.example.com" }],
    ] as const) {
      await database().connection.deleteMany();
      const { id } = await make(wanted);
      const change = { place, untested: true };
      const refused = await ask("PATCH", `/connections/${id}`, owner, change);
      expect(reasonOf(refused)).toBe("422 SECRET_WANTED");
      const { secret } = wanted;
      const { status, body } = await ask("PATCH", `/connections/${id}`, owner, {
        ...change,
        secret,
      });
      expect(status, JSON.stringify(body)).toBe(200);
    }
    expect(other.asked).toEqual([]);
    await other.close();
  });

  it("stays where only buckets change, and where only the name does the test stays too", async () => {
    const made = await make(s3());
    const buckets = ["models", "calibration"];
    const place = { endpoint: lab.options.endpoint, buckets };
    const { body } = await ask("PATCH", `/connections/${made.id}`, owner, { place });
    expect(body).toMatchObject({
      place: { buckets },
      secretSetAt: made.secretSetAt,
      lastTest: { said: "models can be listed, calibration is empty." },
    });
    const named = await ask("PATCH", `/connections/${made.id}`, owner, { name: "renamed" });
    expect(named.body.lastTest).toEqual(body.lastTest);
  });

  it("that was moved in the database to another host opens no more", async () => {
    const { id } = await make(ofForge());
    const before = forge.asked.length;
    await database().$executeRaw`
      UPDATE connection SET place = jsonb_build_object('host', ${hub.host}::text)`;
    const seen = hub.asked.length;
    const { body } = await ask("POST", `/connections/${id}/test`, owner, {});
    expect(body.lastTest).toMatchObject({ ok: false, reason: "SECRET_UNREADABLE" });
    expect([forge.asked.length, hub.asked.length]).toEqual([before, seen]);
  });

  it("goes with two changes that meet, or with none: one of them is refused", async () => {
    const { id } = await make(ofRegistry());
    const both = await Promise.all([
      ask("PATCH", `/connections/${id}`, owner, { name: "one", untested: true }),
      ask("PATCH", `/connections/${id}`, owner, {
        place: { registry: "other.example.com" },
        secret: login,
        untested: true,
      }),
      ask("PATCH", `/connections/${id}`, owner, { name: "two", untested: true }),
    ]);
    for (const each of both)
      if (each.status !== 200) expect(reasonOf(each)).toBe("409 STATE_CONFLICT");
    const { body } = await ask("POST", `/connections/${id}/test`, owner, {});
    expect(body.lastTest.reason).not.toBe("SECRET_UNREADABLE");
  });

  it("is taken away where a kind does without, and nowhere else", async () => {
    const forAll = await make(ofHub({ untested: true }));
    const { body } = await ask("PATCH", `/connections/${forAll.id}`, owner, {
      secret: null,
      untested: true,
    });
    expect(body.secretSetAt).toBeNull();
    const { id } = await make(ofForge());
    expect(reasonOf(await ask("PATCH", `/connections/${id}`, owner, { secret: null }))).toBe(
      "422 SECRET_WANTED",
    );
  });

  it("is shown to the host of a registry's tokens only where the connection names it", async () => {
    const { realm } = registry;
    registry.realm = `https://${tokens.host}/token`;
    try {
      const refused = await ask("POST", "/connections", owner, ofRegistry());
      expect(reasonOf(refused)).toBe("422 SOURCE_LOGIN_REFUSED");
      expect(refused.body.error.message).toContain(`another host, ${tokens.host}`);
      expect(tokens.asked).toEqual([]);
      await make(ofRegistry({ place: { registry: registry.host, tokenHost: tokens.host } }));
      expect(tokens.asked).toMatchObject([{ authorization: expect.stringMatching(/^Basic /) }]);
    } finally {
      registry.realm = realm;
    }
  });
});

describe("who may", () => {
  let ours: ProjectConnection;
  beforeAll(async () => {
    await database().connection.deleteMany();
    ours = await make(s3());
  });

  it("change connections is an admin of the project; others see them, or their names alone", async () => {
    for (const who of [builder, viewer]) {
      for (const [method, target, json] of [
        ["POST", "/connections", ofForge()],
        ["PATCH", `/connections/${ours.id}`, { name: "x" }],
        ["POST", `/connections/${ours.id}/test`, {}],
        ["DELETE", `/connections/${ours.id}`, undefined],
      ] as const)
        expect(reasonOf(await ask(method, target, who, json)), method).toBe("403 FORBIDDEN");
    }
    expect((await ask("GET", "/connections", viewer)).body).toEqual({
      items: [{ id: ours.id, name: "lab" }],
      shared: [],
    });
    expect(reasonOf(await ask("GET", `/connections/${ours.id}`, viewer))).toBe("403 FORBIDDEN");
    expect((await ask("GET", "/connections", builder)).body.items).toEqual([ours]);
  });

  it("come from another project sees none, and finds what is there as what is not", async () => {
    expect((await ask("GET", "/connections", stranger)).body.items).toEqual([]);
    const absent = `${ours.id.slice(0, -4)}0000`;
    for (const [method, path, json] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "mine" }],
      ["PATCH", "", { place: { host: "evil.example.com" }, untested: true }],
      ["DELETE", "", undefined],
      ["POST", "/test", {}],
    ] as const) {
      const answers = [];
      for (const id of [ours.id, absent]) {
        const { status, body } = await ask(method, `/connections/${id}${path}`, stranger, json);
        const { requestId: _, ...error } = body.error;
        answers.push(JSON.stringify({ status, ...error }).replaceAll(id, "ID"));
      }
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]).toContain('"status":404');
    }
    expect((await ask("GET", "/connections", builder)).body.items).toEqual([ours]);
  });

  it("builds in another project is not let in by a connection of this one", async () => {
    const url = "s3://models/iris/x.onnx";
    const mine = await ask("POST", "/models/inspect", builder, { url });
    expect(mine.body).toMatchObject({ digest: digestOf(model) });
    expect(reasonOf(await ask("POST", "/models/inspect", stranger, { url }))).toBe(
      "422 URL_NOT_ALLOWED",
    );
    // Neither by a row that says it is asked for there: the worker asks by the project of the inspection.
    const theirs = await make(
      {
        ...s3({ name: "theirs", secret: { ...keys, secretKey: "wrong-secret-key" } }),
        untested: true,
      },
      stranger,
    );
    expect(reasonOf(await ask("POST", "/models/inspect", stranger, { url }))).toBe(
      "422 SOURCE_LOGIN_REFUSED",
    );
    expect((await ask("DELETE", `/connections/${theirs.id}`, stranger)).status).toBe(204);
  });

  it("is in the audit log with what was done, and no secret", async () => {
    const { body } = await ask("GET", "/audit?action=connections", owner);
    const found = body.items.map(
      ({ action, target }: { action: string; target: { noun: string } }) => [action, target.noun],
    );
    expect(found).toContainEqual(["connections.create", "connection"]);
    expect(found).toContainEqual(["connections.change", "connection"]);
  });
});

describe("a model", () => {
  beforeAll(async () => {
    await database().connection.deleteMany();
    for (const wanted of [s3(), ofForge(), ofRegistry(), ofHub()]) await make(wanted);
  });

  async function built(name: string, url: string) {
    const json = { name, engine: "onnx", model: { url }, board: { model: "cpu", kind: "cpu" } };
    const { status, body } = await ask("POST", "/endpoints", builder, json);
    expect(status, JSON.stringify(body)).toBe(202);
    return await stack.ended(body.buildId);
  }

  it.each([
    ["store", "of-s3", () => "s3://models/iris/x.onnx"],
    ["host", "of-https", () => `https://${forge.host}/model.onnx`],
    ["registry", "of-oci", () => `oci://${registry.host}/models/iris:v1`],
    ["registry, by title", "of-title", () => `oci://${registry.host}/models/many:v1#iris.onnx`],
    ["hub", "of-hf", () => "hf://lab/iris/model.onnx"],
    ["hub, by revision", "of-hf-2", () => "hf://lab/iris/deep/model.onnx@v2"],
  ])("of a %s is built, and its connection is told to be used", async (_, name, url) => {
    expect(await built(name, url())).toMatchObject({ state: "succeeded" });
    const row = await database().build.findFirst({ where: { endpointName: name } });
    expect(row?.modelDigest).toBe(digestOf(model));
    const { items } = (await ask("GET", "/connections", builder)).body;
    const users = items.flatMap((each: ProjectConnection) => each.usedBy.names);
    expect(users).toContain(name);
  });

  it("is shown nothing but to its own host: what it leads on to gets no token", () => {
    // What lies beside is looked for at the same revision, and among the layers of the same image.
    const paths = hub.asked.map(({ path }) => path);
    expect(paths).toContain("/lab/iris/resolve/v2/deep/card.json");
    expect(registry.blobStore.asked.map(({ path }) => path)).toContain(`/${digestOf(card)}`);
    expect(hub.asked.some(({ authorization }) => authorization?.includes(secrets.hubToken))).toBe(
      true,
    );
    for (const { asked } of [registry.blobStore, hub.files]) {
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    }
  });

  it("of a list of one image is that image's", async () => {
    const url = `oci://${registry.host}/models/list:one`;
    const { body } = await ask("POST", "/models/inspect", builder, { url });
    expect(body.digest).toBe(digestOf(model));
  });

  it("of a registry is held against its digest", async () => {
    registry.lies.add(digestOf(model));
    const { body } = await ask("POST", "/models/inspect", builder, {
      url: `oci://${registry.host}/models/iris:v1`,
    });
    registry.lies.clear();
    expect(body.error.reason).toBe("SOURCE_DIGEST_MISMATCH");
  });

  it.each([
    ["oci://HOST/models/many:v1", "SOURCE_NOT_FOUND", /#iris.onnx, #card.json/],
    ["oci://HOST/models/many:v1#other", "SOURCE_NOT_FOUND", /no layer of the title other/],
    ["oci://HOST/models/iris:v9", "SOURCE_NOT_FOUND", /no such image/],
    ["oci://HOST/models/list:two", "SOURCE_NOT_FOUND", /a list of 2 images/],
    ["oci://HOST/models/list:odd", "SOURCE_NOT_FOUND", /its manifest has another form/],
    ["oci://HOST/models/list:page", "SOURCE_NOT_FOUND", /its manifest is no JSON/],
    ["oci://HOST/../secret:v1", "URL_NOT_ALLOWED", /no address in a registry/],
    [
      "oci://elsewhere.example.com/models/iris:v1",
      "URL_NOT_ALLOWED",
      /No connection of this project/,
    ],
    ["hf://lab/iris/absent.onnx", "SOURCE_NOT_FOUND", /nothing at this address/],
    ["hf://lab/../x", "URL_NOT_ALLOWED", /no address of a file/],
    ["s3://models/../x", "URL_NOT_ALLOWED", /no address of an object/],
  ])("at %s is refused with %s", async (address, reason, words) => {
    const { body } = await ask("POST", "/models/inspect", builder, {
      url: address.replace("HOST", registry.host),
    });
    expect(body.error.reason).toBe(reason);
    expect(`${body.error.message} ${body.error.hint}`).toMatch(words);
  });

  it("of a connection that is gone is fetched no more", async () => {
    const { items } = (await ask("GET", "/connections", builder)).body;
    const { id } = items.find(({ name }: { name: string }) => name === "hub");
    expect((await ask("DELETE", `/connections/${id}`, owner)).status).toBe(204);
    const { body } = await ask("POST", "/models/inspect", builder, {
      url: "hf://lab/iris/deep/model.onnx@v2",
    });
    expect(body.error.reason).toBe("URL_NOT_ALLOWED");
  });
});

describe("what opens connections", () => {
  /** A secret in every spelling that something might keep it in. */
  const spellings = Object.values(secrets).flatMap((secret) => {
    const bytes = Buffer.from(secret);
    const base64 = [0, 1, 2].map((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
      return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    });
    return [secret, encodeURIComponent(secret), bytes.toString("hex"), ...base64];
  });
  const found = (text: string) => spellings.filter((each) => text.includes(each));

  it("is in no row of the database, although it is kept there", async () => {
    const tables = await database().$queryRaw<{ name: string }[]>`
      SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
    const dump: string[] = [];
    for (const { name } of tables) {
      const rows = await database().$queryRawUnsafe<{ line: string }[]>(
        `SELECT t::text AS line FROM ${name} t`,
      );
      dump.push(...rows.map(({ line }) => line));
    }
    const text = dump.join("\n");
    expect(text).toContain("s3://models/iris/x.onnx");
    expect(text).toContain("v1.");
    expect(found(text)).toEqual([]);
  });

  it("is in no answer of the API", () => {
    expect(said.length).toBeGreaterThan(100);
    expect(said.flatMap(found)).toEqual([]);
  });

  it("opens no more without its key, and the answer names the file", async () => {
    const { items } = (await ask("GET", "/connections", builder)).body;
    const { id } = items.find(({ name }: { name: string }) => name === "lab");
    const file = join(stack.home, "keys/connections.key");
    renameSync(file, `${file}.away`);
    writeFileSync(file, `${Buffer.alloc(32, 7).toString("base64")}\n`);
    const { body } = await ask("POST", `/connections/${id}/test`, owner, {});
    expect(body.lastTest).toMatchObject({
      reason: "SEALING_KEY_INVALID",
      said: expect.stringContaining("CONNECTION_KEY_FILE"),
    });
    const inspected = await ask("POST", "/models/inspect", builder, {
      url: "s3://models/iris/other.onnx",
    });
    expect(inspected.body.error.reason).toBe("SEALING_KEY_INVALID");
    renameSync(`${file}.away`, file);
    expect((await ask("POST", `/connections/${id}/test`, owner, {})).body.lastTest.ok).toBe(true);
  });
});
