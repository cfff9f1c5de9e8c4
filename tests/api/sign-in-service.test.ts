import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowOwnReset } from "@/domain/people";
import { serviceAddress } from "@/domain/sign-in";
import { makeTokenText } from "@/lib/server/auth";
import { database } from "@/lib/server/db";
import { call, openApi, portal } from "../support/api";
import { type OidcProvider, oidcClient, startOidcProvider, visitProvider } from "../support/oidc";
import {
  bring,
  codeOf,
  cookieOf,
  joinFirst,
  password,
  type SignedIn,
  signInAs,
} from "../support/people";

// People sign in by a real OpenID provider, and others try to come in as them.

openApi({ hasAccounts: true });

let provider: OidcProvider;
let ada: SignedIn;
let ben: SignedIn;

beforeAll(async () => {
  provider = await startOidcProvider(`${portal}/sign-in/return`);
  Object.assign(process.env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: oidcClient.id,
    OIDC_CLIENT_SECRET: oidcClient.secret,
    OIDC_NAME: "Lab ID",
    OIDC_ALLOWED_HOSTS: provider.host,
    OIDC_EMAIL_DOMAINS: "institute.test",
  });
  const person = (name: string, email: string, isVerified = true) =>
    provider.people.set(name, { name: `The ${name}`, email, isVerified });
  person("carla", "carla@lab.test");
  person("dora", "DORA@institute.test");
  person("unsure", "unsure@institute.test", false);
  person("double", "ada@lab.test");
  person("liar", "ada@lab.test", false);
  person("ben-there", "ben@elsewhere.test");
  ada = await joinFirst("ada");
  ben = await bring(ada, "ben", "builder");
});
afterAll(() => provider?.close());

interface Begun {
  readonly url: string;
  readonly cookie: string;
}

async function begun(answer: Response): Promise<Begun> {
  expect(answer.status).toBe(200);
  const { url } = (await answer.json()) as { url: string };
  return { url, cookie: cookieOf(answer).headers.cookie };
}
const begin = async (json: object = {}): Promise<Begun> =>
  await begun(await call("POST", "/sign-in/service", { json }));
const end = async (query: URLSearchParams, cookie: string): Promise<Response> =>
  await call("POST", "/sign-in/service/answer", {
    json: { query: query.toString() },
    headers: { cookie },
  });
const reasonOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${((await answer.json()) as { error: { reason: string } }).error.reason}`;
async function come(login: string, json: object = {}): Promise<Response> {
  const { url, cookie } = await begin(json);
  return await end(await visitProvider(url, login), cookie);
}
/** The session that an answer opens, beside the cookie of the attempt, which it ends. */
function sessionOf(answer: Response): SignedIn {
  expect(answer.status).toBe(200);
  const [ended, opened] = answer.headers.getSetCookie();
  expect(ended).toMatch(/^bw-3000-service=;.*Max-Age=0/);
  expect(opened).toMatch(/^bw-3000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
  return { headers: { cookie: (opened ?? "").split(";")[0] ?? "" } };
}
const whoIs = async (who: SignedIn) =>
  (await (await call("GET", "/me", who)).json()) as {
    id: string;
    name: string;
    email: string | null;
    projects: { role: string }[];
  };
const sessions = async () => await database().session.count();

describe("somebody whom the service knows", () => {
  it("needs an invitation the first time, and is the same person ever after", async () => {
    expect(await (await call("GET", "/sign-in")).json()).toEqual({
      service: "Lab ID",
      hasPasskeys: true,
    });
    expect(await reasonOf(await come("carla"))).toBe("403 INVITATION_WANTED");
    const invitation = await codeOf(ada, "builder");
    const first = await whoIs(sessionOf(await come("carla", { invitation })));
    expect(first).toMatchObject({ name: "The carla", email: "carla@lab.test" });
    expect(first.projects).toMatchObject([{ role: "builder" }]);
    const again = await come("carla", { next: "/builds?state=failed" });
    expect(await again.clone().json()).toEqual({ next: "/builds?state=failed" });
    expect(await whoIs(sessionOf(again))).toEqual(first);
    // The invitation is taken: nobody else comes by it.
    expect(await reasonOf(await come("stranger", { invitation }))).toBe("422 INVITATION_UNKNOWN");
  });

  it("comes in as a viewer by a confirmed address of a domain that is let in, and by no other", async () => {
    const dora = await whoIs(sessionOf(await come("dora")));
    expect(dora).toMatchObject({ email: "dora@institute.test", projects: [{ role: "viewer" }] });
    expect(await reasonOf(await come("unsure"))).toBe("403 INVITATION_WANTED");
  });

  it("does not take over the account of whose address it is", async () => {
    const before = await whoIs(ada);
    expect(await reasonOf(await come("double"))).toBe("403 INVITATION_WANTED");
    const invitation = await codeOf(ada, "viewer");
    expect(await reasonOf(await come("double", { invitation }))).toBe("409 EMAIL_TAKEN");
    // The invitation is still good, for somebody whose address is not confirmed: it is not kept.
    const liar = await whoIs(sessionOf(await come("liar", { invitation })));
    expect(liar).toMatchObject({ name: "The liar", email: null });
    expect(liar.id).not.toBe(before.id);
    expect(await whoIs(ada)).toEqual(before);
  });

  it("has a password too, once somebody sends them a link for one", async () => {
    const { text, digest } = makeTokenText("reset");
    expect(await allowOwnReset("carla@lab.test", digest)).toBe(true);
    expect(await allowOwnReset("nobody@lab.test", makeTokenText("reset").digest)).toBe(false);
    const set = await call("POST", "/passwords", { json: { code: text, password } });
    expect(set.status).toBe(204);
    expect((await signInAs("carla")).status).toBe(204);
    sessionOf(await come("carla"));
  });

  it("is one person, however many first sign-ins come at once", async () => {
    provider.people.set("eva", { name: "Eva", email: "eva@institute.test", isVerified: true });
    const begins = await Promise.all([1, 2, 3].map(async () => await begin()));
    const queries = await Promise.all(begins.map(({ url }) => visitProvider(url, "eva")));
    const answers = await Promise.all(
      begins.map(({ cookie }, n) => end(queries[n] ?? new URLSearchParams(), cookie)),
    );
    const ids = await Promise.all(answers.map(async (each) => (await whoIs(sessionOf(each))).id));
    expect(new Set(ids).size).toBe(1);
  });
});

describe("an answer of the service", () => {
  it("is taken once, and its code never again", async () => {
    const { url, cookie } = await begin();
    const query = await visitProvider(url, "dora");
    sessionOf(await end(query, cookie));
    expect(await reasonOf(await end(query, cookie))).toBe("422 SIGN_IN_STALE");
    const next = await begin();
    const state = new URL(next.url).searchParams.get("state") ?? "";
    const replayed = new URLSearchParams(query);
    replayed.set("state", state);
    expect(await reasonOf(await end(replayed, next.cookie))).toBe("403 SIGN_IN_REFUSED");
  });

  it("opens nothing in a browser that did not begin, or began something else", async () => {
    const before = await sessions();
    const { url } = await begin();
    // Somebody leads another's browser to the end of their own sign-in.
    const query = await visitProvider(url, "carla");
    expect(await reasonOf(await end(query, ""))).toBe("422 SIGN_IN_STALE");
    expect(await reasonOf(await end(query, `bw-3000-service=${"A".repeat(43)}`))).toBe(
      "422 SIGN_IN_STALE",
    );
    expect(await reasonOf(await end(query, (await begin()).cookie))).toBe("403 SIGN_IN_REFUSED");
    expect(await sessions()).toBe(before);
  });

  it.each(["state", "iss", "code"])("with another %s is refused", async (name) => {
    const before = await sessions();
    const { url, cookie } = await begin();
    const query = await visitProvider(url, "carla");
    expect(query.has(name)).toBe(true);
    query.set(name, name === "iss" ? "https://evil.test" : "A".repeat(43));
    expect(await reasonOf(await end(query, cookie))).toBe("403 SIGN_IN_REFUSED");
    expect(await sessions()).toBe(before);
  });

  it("with a code of another attempt is refused, since the proof of that one is wanting", async () => {
    const theirs = await begin();
    const stolen = (await visitProvider(theirs.url, "carla")).get("code") ?? "";
    const own = await begin();
    const query = await visitProvider(own.url, "dora");
    query.set("code", stolen);
    expect(await reasonOf(await end(query, own.cookie))).toBe("403 SIGN_IN_REFUSED");
  });

  it("with a token for another nonce is refused", async () => {
    const { url, cookie } = await begin();
    const changed = new URL(url);
    changed.searchParams.set("nonce", "A".repeat(43));
    const query = await visitProvider(changed.href, "carla");
    expect(await reasonOf(await end(query, cookie))).toBe("403 SIGN_IN_REFUSED");
  });

  it("says that somebody turned back, in words", async () => {
    const { url, cookie } = await begin();
    const { searchParams } = new URL(url);
    const query = new URLSearchParams({
      error: "access_denied",
      error_description: "<script>alert(1)</script>",
      state: searchParams.get("state") ?? "",
      iss: provider.issuer,
    });
    const answer = await end(query, cookie);
    const text = await answer.text();
    expect(answer.status).toBe(403);
    expect(text).toContain("Lab ID does not say who you are: access_denied.");
    expect(text).not.toContain("script");
  });

  it("leads on to pages of ours alone", async () => {
    for (const next of [
      "https://evil.test",
      "//evil.test",
      "/\\evil.test",
      "javascript:alert(1)",
    ]) {
      const answer = await call("POST", "/sign-in/service", { json: { next } });
      expect(await reasonOf(answer)).toBe("422 VALIDATION");
    }
  });

  it("is asked for by no page of another site", async () => {
    const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
    for (const path of ["/sign-in/service", "/sign-in/service/answer", "/me/sign-ins/service"])
      expect(await reasonOf(await call("POST", path, { json: {}, headers })), path).toBe(
        "403 CSRF",
      );
  });

  it("leaves nothing in the database that could be used", async () => {
    const { cookie, url } = await begin();
    const rows = await database().$queryRaw<{ row: string }[]>`
      SELECT row_to_json(sign_in_attempt)::text AS row FROM sign_in_attempt`;
    expect(rows.length).toBeGreaterThan(0);
    const secret = cookie.split("=")[1] ?? "-";
    const { searchParams } = new URL(url);
    for (const { row } of rows)
      for (const text of [secret, searchParams.get("state"), searchParams.get("nonce")])
        expect(row).not.toContain(text);
  });
});

describe("a service that is away, or leads astray", () => {
  const service = {
    name: "Lab ID",
    clientId: "boardwalk",
    clientSecret: undefined,
    scopes: "openid",
    returnUrl: `${portal}/sign-in/return`,
  };
  const secrets = { state: "s".repeat(43), nonce: "n".repeat(43), verifier: "v".repeat(43) };

  it.each([
    ["where nothing listens", "http://localhost:9", ["localhost:9"]],
    ["that no admin listed", null, []],
    ["of a private place behind TLS", "https://10.0.0.1", []],
  ])("%s is said to be away", async (_what, issuer, allowedHosts) => {
    const asked = serviceAddress(
      { ...service, issuer: issuer ?? provider.issuer, policy: { allowedHosts } },
      secrets,
    );
    await expect(asked).rejects.toMatchObject({ reason: "SIGN_IN_SERVICE_AWAY" });
  });

  it("whose issuer is another than it was set to is not believed", async () => {
    const host = provider.host.replace("127.0.0.1", "localhost");
    const asked = serviceAddress(
      {
        ...service,
        issuer: `http://${host}`,
        policy: { allowedHosts: [host] },
        resolve: async () => ["127.0.0.1"],
      },
      secrets,
    );
    await expect(asked).rejects.toMatchObject({ reason: "SIGN_IN_SERVICE_AWAY" });
  });
});

describe("ways to sign in", () => {
  interface Way {
    readonly id: string;
    readonly kind: string;
    readonly isLast: boolean;
  }
  const ways = async (who: SignedIn): Promise<Way[]> =>
    ((await (await call("GET", "/me/sign-ins", who)).json()) as { items: Way[] }).items;
  const link = async (who: SignedIn) =>
    await begun(await call("POST", "/me/sign-ins/service", { json: {}, ...who }));
  const both = (one: SignedIn, cookie: string) => `${one.headers.cookie}; ${cookie}`;

  it("are added and taken away by whoever is signed in, but for the last", async () => {
    expect(await ways(ben)).toMatchObject([{ kind: "password", isLast: true }]);
    const { url, cookie } = await link(ben);
    const linked = await end(await visitProvider(url, "ben-there"), both(ben, cookie));
    expect(await linked.json()).toEqual({ next: "/settings/account" });
    const there = sessionOf(await come("ben-there"));
    expect((await whoIs(there)).id).toBe((await whoIs(ben)).id);
    const [password, service] = await ways(ben);
    expect(service).toMatchObject({ kind: "service", isLast: false });
    // Of others, neither is found.
    for (const id of [service?.id ?? "", "sgn_nothing"])
      expect(await reasonOf(await call("DELETE", `/me/sign-ins/${id}`, ada))).toBe("404 NOT_FOUND");
    const gone = await call("DELETE", `/me/sign-ins/${service?.id}`, ben);
    expect(gone.status).toBe(204);
    // Everywhere else they are signed out.
    expect((await call("GET", "/me", there)).status).toBe(401);
    expect(await reasonOf(await come("ben-there"))).toBe("403 INVITATION_WANTED");
    expect(await reasonOf(await call("DELETE", `/me/sign-ins/${password?.id}`, ben))).toBe(
      "409 STATE_CONFLICT",
    );
  });

  it("are taken away one at a time, so that one stays", async () => {
    const { url, cookie } = await link(ben);
    await end(await visitProvider(url, "ben-there"), both(ben, cookie));
    const answers = await Promise.all(
      (await ways(ben)).map(async ({ id }) => await call("DELETE", `/me/sign-ins/${id}`, ben)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(await ways(ben)).toHaveLength(1);
  });

  it("are added in the session that asked, and to one account alone", async () => {
    const { url, cookie } = await link(ada);
    const query = await visitProvider(url, "carla");
    // Somebody else's browser, and one whose session is over.
    const dora = sessionOf(await come("dora"));
    expect(await reasonOf(await end(query, both(dora, cookie)))).toBe("422 SIGN_IN_STALE");
    const again = await link(ada);
    const answer = await end(await visitProvider(again.url, "carla"), both(ada, again.cookie));
    expect(await reasonOf(answer)).toBe("409 STATE_CONFLICT");
    const short = cookieOf(await signInAs("ada"));
    const third = await link(short);
    await call("DELETE", "/session", short);
    const late = await visitProvider(third.url, "nobody-yet");
    expect(await reasonOf(await end(late, both(short, third.cookie)))).toBe("422 SIGN_IN_STALE");
  });
});

describe("the service, when it goes away in the middle", () => {
  it("is said to be away, and no more", async () => {
    const { url, cookie } = await begin();
    const query = await visitProvider(url, "dora");
    await provider.close();
    expect(await reasonOf(await end(query, cookie))).toBe("422 SIGN_IN_SERVICE_AWAY");
  });
});
