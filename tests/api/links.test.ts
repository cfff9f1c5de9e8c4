import { beforeAll, describe, expect, it } from "vitest";
import { writeTraffic } from "@/domain/traffic";
import type { EndpointLink } from "@/lib/common/contract";
import { findGrant } from "@/lib/server/auth";
import { database, uuidv7 } from "@/lib/server/db";
import { call, openApi } from "../support/api";
import { iris } from "../support/domain";
import { bring, joinFirst, type SignedIn } from "../support/people";

// Who may ask an endpoint where people share an installation: its owner alone at first, and whoever has a link.

openApi({ hasAccounts: true });

let owner: SignedIn;
let builder: SignedIn;
let viewer: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  owner = await joinFirst("ada");
  builder = await bring(owner, "ben", "builder");
  other = await bring(owner, "cleo", "builder");
  viewer = await bring(owner, "vera", "viewer");
  const made = await call("POST", "/endpoints", {
    json: iris("hers"),
    headers: { ...builder.headers, prefer: "wait=0" },
  });
  expect(made.status).toBe(202);
});

/** As a gateway hands it over. */
const request = {
  at: new Date().toISOString(),
  protocol: "http" as const,
  status: 200,
  reason: null,
  message: null,
  revision: 1,
  slotId: null,
  latencyUs: 100,
  rows: 1,
  requestId: "",
  body: '{"inputs":[]}',
};
const idOf = async (name: string): Promise<string> =>
  (await database().endpoint.findFirstOrThrow({ where: { name, deletedAt: null } })).id;

const reasonOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { error: { reason: string } }).error.reason;
const ask = (who: { readonly headers: Readonly<Record<string, string>> }) =>
  call("POST", "/endpoints/hers/predict", {
    body: "{}",
    headers: { ...who.headers, "content-type": "application/json" },
  });
const accessOf = async () =>
  ((await (await call("GET", "/endpoints/hers", owner)).json()) as { access: string }).access;
const open = (access: string, who: SignedIn) =>
  call("POST", "/endpoints/hers/access", { json: { access }, ...who });
const make = async (json: object, who = builder) =>
  await call("POST", "/endpoints/hers/links", { json, ...who });
const list = async () =>
  (
    (await (await call("GET", "/endpoints/hers/links", builder)).json()) as {
      items: EndpointLink[];
    }
  ).items;
const codeOf = (url: string): string => new URL(url).hash.slice(1);

describe("a new endpoint", () => {
  it("is its owner's alone, seen by the project, until it is opened", async () => {
    expect(await accessOf()).toBe("private");
    for (const who of [owner, other, viewer]) {
      const refused = await ask(who);
      expect([refused.status, await reasonOf(refused)]).toEqual([403, "FORBIDDEN"]);
    }
    // The owner comes past that question: nothing is built yet.
    expect(await reasonOf(await ask(builder))).not.toBe("FORBIDDEN");
    expect((await open("project", builder)).status).toBe(200);
    expect(await reasonOf(await ask(viewer))).not.toBe("FORBIDDEN");
  });

  it("is private to whoever makes it so", async () => {
    expect((await open("private", other)).status).toBe(200);
    expect(await reasonOf(await ask(builder))).toBe("FORBIDDEN");
    expect(await reasonOf(await ask(other))).not.toBe("FORBIDDEN");
    expect((await open("private", builder)).status).toBe(200);
    expect(await reasonOf(await ask(other))).toBe("FORBIDDEN");
    expect((await open("private", viewer)).status).toBe(403);
  });

  it("shows what it was asked to its owner alone, and to nobody once it is open or another's", async () => {
    const keep = () => call("POST", "/endpoints/hers/payloads", builder);
    const asked = async () => {
      await writeTraffic({
        writer: uuidv7(),
        minutes: [],
        requests: [{ ...request, id: uuidv7(), endpointId: await idOf("hers") }],
      });
    };
    const bodies = async (who: SignedIn) => {
      const { items } = (await (await call("GET", "/endpoints/hers/requests", who)).json()) as {
        items: { id: string; hasBody: boolean }[];
      };
      const kept = items.map(async ({ id, hasBody }) => {
        const answer = await call("GET", `/endpoints/hers/requests/${id}`, who);
        return [hasBody, ((await answer.json()) as { body?: string }).body];
      });
      return await Promise.all(kept);
    };
    await keep();
    await asked();
    expect(await bodies(builder)).toEqual([[true, request.body]]);
    for (const who of [owner, other, viewer])
      expect(await bodies(who)).toEqual([[false, undefined]]);
    for (const change of [() => open("project", builder), () => open("private", other)]) {
      expect((await change()).status).toBe(200);
      // What a gateway hands over late is not kept either.
      await asked();
      for (const who of [owner, builder, other, viewer])
        for (const body of await bodies(who)) expect(body).toEqual([false, undefined]);
      expect((await open("private", builder)).status).toBe(200);
      await keep();
      await asked();
    }
    await call("DELETE", "/endpoints/hers/payloads", builder);
    await keep();
    expect((await open("private", builder)).status).toBe(200);
    await asked();
    expect(await bodies(builder)).toContainEqual([true, request.body]);
  });

  it("is private to nobody once its owner is gone, and can be opened", async () => {
    const leaver = await bring(owner, "lea", "builder");
    await call("POST", "/endpoints", {
      json: iris("left"),
      headers: { ...leaver.headers, prefer: "wait=0" },
    });
    await database().$executeRaw`DELETE FROM "user" WHERE name = 'lea'`;
    const answer = await call("POST", "/endpoints/left/predict", {
      body: "{}",
      headers: { ...owner.headers, "content-type": "application/json" },
    });
    expect(await reasonOf(answer)).toBe("FORBIDDEN");
    const opened = await call("POST", "/endpoints/left/access", {
      json: { access: "project" },
      ...owner,
    });
    expect(opened.status).toBe(200);
  });
});

describe("a link", () => {
  it("may ask ten times a second, or as often as is said, and says so", async () => {
    const paceOf = async (json: object) => {
      const made = await make({ name: "paced", ...json });
      const { id, url, requestsPerSecond } = (await made.json()) as EndpointLink & { url: string };
      const grant = await findGrant(codeOf(url));
      expect(grant?.requestsPerSecond).toBe(requestsPerSecond);
      expect((await call("DELETE", `/endpoints/hers/links/${id}`, builder)).status).toBe(204);
      return requestsPerSecond;
    };
    expect(await paceOf({})).toBe(10);
    expect(await paceOf({ requestsPerSecond: 3 })).toBe(3);
    expect((await make({ name: "x", requestsPerSecond: 0 })).status).toBe(422);
  });

  it("is shown once, and kept as a digest alone", async () => {
    const answer = await make({ name: "control room" });
    expect(answer.status).toBe(201);
    const { url, ...shown } = (await answer.json()) as EndpointLink & { url: string };
    expect(url).toMatch(/\/shared\/hers#bw_link_[0-9A-Za-z]{49}$/);
    expect(await list()).toEqual([shown]);
    const [row] = await database().$queryRaw<{ text: string }[]>`
      SELECT row_to_json(t)::text AS text FROM token t WHERE kind = 'link'`;
    expect(row?.text).not.toContain(codeOf(url).slice(8, -4));
    const days = (Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  it("is good for one endpoint at the gateway, and for nothing at the API", async () => {
    const { url } = (await (await make({ name: "a display" })).json()) as { url: string };
    const grant = await findGrant(codeOf(url));
    expect(grant).toMatchObject({ kind: "link", scopes: ["infer"] });
    expect(grant?.endpointIds).toHaveLength(1);
    const headers = { authorization: `Bearer ${codeOf(url)}` };
    for (const path of ["/endpoints", "/endpoints/hers", "/me"])
      expect((await call("GET", path, { headers })).status, path).toBe(401);
    expect((await ask({ headers })).status).toBe(401);
  });

  it("is among no tokens, and no token among links", async () => {
    const made = await call("POST", "/tokens", {
      json: { name: "t", scopes: ["infer"] },
      ...owner,
    });
    const { id } = (await made.json()) as { id: string };
    const { items } = (await (await call("GET", "/tokens", owner)).json()) as {
      items: { name: string }[];
    };
    expect(items.map(({ name }) => name)).toEqual(["t"]);
    const uuid = id.slice("tok_".length);
    for (const path of [`/endpoints/hers/links/lnk_${uuid}`, `/endpoints/hers/links/${id}`])
      expect((await call("DELETE", path, builder)).status, path).toBe(404);
  });

  it("is good for nothing once it was revoked, and cannot be revoked by another endpoint's name", async () => {
    const { id, url } = (await (await make({ name: "guest" })).json()) as {
      id: string;
      url: string;
    };
    await call("POST", "/endpoints", {
      json: iris("other"),
      headers: { ...builder.headers, prefer: "wait=0" },
    });
    expect((await call("DELETE", `/endpoints/other/links/${id}`, builder)).status).toBe(404);
    expect(await findGrant(codeOf(url))).not.toBeNull();
    expect((await call("DELETE", `/endpoints/hers/links/${id}`, builder)).status).toBe(204);
    expect(await findGrant(codeOf(url))).toBeNull();
    expect((await call("DELETE", `/endpoints/hers/links/${id}`, builder)).status).toBe(404);
  });

  it("goes with whoever made it", async () => {
    const guest = await bring(owner, "gus", "builder");
    const { url } = (await (await make({ name: "gone soon" }, guest)).json()) as { url: string };
    const { items } = (await (await call("GET", "/members", owner)).json()) as {
      items: { id: string; name: string }[];
    };
    const id = items.find(({ name }) => name === "gus")?.id;
    expect((await call("DELETE", `/members/${id}`, owner)).status).toBe(204);
    expect(await findGrant(codeOf(url))).toBeNull();
  });

  it.each([
    ["no name", { name: " " }],
    ["a time that is past", { name: "x", expiresAt: "2020-01-01T00:00:00.000Z" }],
    ["scopes", { name: "x", scopes: ["admin"] }],
  ])("is refused with %s", async (_, json) => {
    expect((await make(json)).status).toBe(422);
  });

  it("is made by those who may deploy", async () => {
    expect((await make({ name: "x" }, viewer)).status).toBe(403);
    expect((await call("GET", "/endpoints/hers/links", viewer)).status).toBe(403);
  });
});
