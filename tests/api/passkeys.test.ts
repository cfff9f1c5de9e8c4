import { beforeAll, describe, expect, it } from "vitest";
import { database } from "@/lib/server/db";
import { call, openApi } from "../support/api";
import { type Authenticator, makeAuthenticator } from "../support/authenticator";
import { bring, cookieOf, joinFirst, password, type SignedIn, signInAs } from "../support/people";

// People sign in by passkeys, and others by what they saw or copied of them.

openApi({ hasAccounts: true });

let ada: SignedIn;
let ben: SignedIn;
let key: Authenticator;

beforeAll(async () => {
  ada = await joinFirst("ada");
  ben = await bring(ada, "ben", "builder");
  key = makeAuthenticator();
  await add(ben, key);
});

interface Begun {
  readonly challenge: string;
  readonly cookie: string;
}

async function begin(path: string, who?: SignedIn, json?: object): Promise<Begun> {
  const answer = await call("POST", path, { ...(json ? { json } : {}), ...who });
  expect(answer.status).toBe(200);
  const { challenge } = (await answer.json()) as { challenge: string };
  return { challenge, cookie: cookieOf(answer).headers.cookie };
}
const beginToAdd = async (who: SignedIn) => await begin("/me/passkeys/options", who, {});
const endToAdd = async (who: SignedIn, cookie: string, response: object): Promise<Response> =>
  await call("POST", "/me/passkeys", {
    json: { name: "blue key", response },
    headers: { cookie: `${who.headers.cookie}; ${cookie}` },
  });
async function add(who: SignedIn, authenticator: Authenticator): Promise<void> {
  const { challenge, cookie } = await beginToAdd(who);
  const answer = await endToAdd(who, cookie, authenticator.register({ challenge }));
  expect(answer.status, answer.status === 204 ? "" : await answer.text()).toBe(204);
}
const beginToSignIn = async () => await begin("/sign-in/passkey/options");
const endSignIn = async (cookie: string, response: object): Promise<Response> =>
  await call("POST", "/sign-in/passkey", { json: { response }, headers: { cookie } });
async function come(authenticator: Authenticator): Promise<Response> {
  const { challenge, cookie } = await beginToSignIn();
  authenticator.counter++;
  return await endSignIn(cookie, authenticator.sign({ challenge }));
}
function sessionOf(answer: Response): SignedIn {
  expect(answer.status).toBe(204);
  const [, opened = ""] = answer.headers.getSetCookie();
  return { headers: { cookie: opened.split(";")[0] ?? "" } };
}
const reasonOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${((await answer.json()) as { error: { reason: string } }).error.reason}`;
const nameOf = async (who: SignedIn) =>
  ((await (await call("GET", "/me", who)).json()) as { name: string }).name;

const stale = "422 SIGN_IN_STALE";
const unknown = "403 PASSKEY_UNKNOWN";

describe("a passkey", () => {
  it("signs in whose it is, in a new session each time", async () => {
    const one = sessionOf(await come(key));
    const other = sessionOf(await come(key));
    expect(one).not.toEqual(other);
    expect([await nameOf(one), await nameOf(other)]).toEqual(["ben", "ben"]);
    const { items } = (await (await call("GET", "/me/sign-ins", ben)).json()) as {
      items: object[];
    };
    expect(items).toMatchObject([
      { kind: "password", isLast: false },
      { kind: "passkey", name: "blue key", usedAt: expect.any(String) },
    ]);
  });

  it("signs a challenge once, within one attempt of one browser", async () => {
    const { challenge, cookie } = await beginToSignIn();
    key.counter++;
    const signed = key.sign({ challenge });
    const other = await beginToSignIn();
    expect(await reasonOf(await endSignIn(other.cookie, signed))).toBe(unknown);
    expect(await reasonOf(await endSignIn("", signed))).toBe(stale);
    sessionOf(await endSignIn(cookie, signed));
    expect(await reasonOf(await endSignIn(cookie, signed))).toBe(stale);
  });

  it.each([
    { origin: "https://localhost.evil.test" },
    { origin: "http://localhost:3001" },
    { rpId: "evil.test" },
  ])("that signed for %j opens nothing", async (elsewhere) => {
    const { challenge, cookie } = await beginToSignIn();
    key.counter++;
    expect(await reasonOf(await endSignIn(cookie, key.sign({ challenge, ...elsewhere })))).toBe(
      unknown,
    );
  });

  it("whose count does not rise is a copy, also of two at once", async () => {
    sessionOf(await come(key));
    const stand = await beginToSignIn();
    expect(
      await reasonOf(await endSignIn(stand.cookie, key.sign({ challenge: stand.challenge }))),
    ).toBe(unknown);
    const [one, two] = await Promise.all([beginToSignIn(), beginToSignIn()]);
    key.counter++;
    const answers = await Promise.all(
      [one, two].map(({ challenge, cookie }) => endSignIn(cookie, key.sign({ challenge }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 403]);
  });

  it("of which the signature is another's opens nothing", async () => {
    const { challenge, cookie } = await beginToSignIn();
    const forger = makeAuthenticator();
    const forged = { ...forger.sign({ challenge }), id: key.id, rawId: key.id };
    expect(await reasonOf(await endSignIn(cookie, forged))).toBe(unknown);
    expect(await reasonOf(await come(makeAuthenticator()))).toBe(unknown);
  });

  it("is added in the session that began, for its challenge, once", async () => {
    const extra = makeAuthenticator();
    const { challenge, cookie } = await beginToAdd(ben);
    const made = extra.register({ challenge });
    expect(await reasonOf(await endToAdd(ada, cookie, made))).toBe(stale);
    expect(await reasonOf(await endToAdd(ben, cookie, made))).toBe(stale);
    const next = await beginToAdd(ben);
    expect(await reasonOf(await endToAdd(ben, next.cookie, made))).toBe(unknown);
    // A challenge to sign in by adds nothing.
    const foreign = await beginToSignIn();
    const answer = await endToAdd(ben, foreign.cookie, extra.register(foreign));
    expect(await reasonOf(answer)).toBe(stale);
    // One that is kept already, by whomever.
    const again = await beginToAdd(ada);
    expect(await reasonOf(await endToAdd(ada, again.cookie, key.register(again)))).toBe(
      "409 STATE_CONFLICT",
    );
  });

  it.each([
    { response: {} },
    {
      response: {
        id: "x",
        rawId: "x",
        type: "public-key",
        clientExtensionResults: {},
        response: {},
      },
    },
    { response: null, more: 1 },
  ])("of another form is refused: %j", async (json) => {
    const { cookie } = await beginToSignIn();
    const answer = await call("POST", "/sign-in/passkey", { json, headers: { cookie } });
    expect(await reasonOf(answer)).toBe("422 VALIDATION");
  });

  it("of nonsense in the right form is refused", async () => {
    const { challenge, cookie } = await beginToSignIn();
    const signed = key.sign({ challenge }) as { response: object };
    const broken = { ...signed, response: { ...signed.response, authenticatorData: "AAAA" } };
    expect(await reasonOf(await endSignIn(cookie, broken))).toBe(unknown);
    const next = await beginToSignIn();
    const letters = { ...signed, response: { ...signed.response, clientDataJSON: "AAAA" } };
    expect(await reasonOf(await endSignIn(next.cookie, letters))).toBe(unknown);
  });

  it("opens nothing once it is taken away, nor once its owner is", async () => {
    const kim = await bring(ada, "kim", "viewer");
    const lost = makeAuthenticator();
    await add(kim, lost);
    const here = sessionOf(await come(lost));
    const { items } = (await (await call("GET", "/me/sign-ins", kim)).json()) as {
      items: { id: string; kind: string }[];
    };
    const id = items.find(({ kind }) => kind === "passkey")?.id;
    expect(await reasonOf(await call("DELETE", `/me/sign-ins/${id}`, ben))).toBe("404 NOT_FOUND");
    expect((await call("DELETE", `/me/sign-ins/${id}`, kim)).status).toBe(204);
    expect((await call("GET", "/me", here)).status).toBe(401);
    expect(await reasonOf(await come(lost))).toBe(unknown);
    const kept = makeAuthenticator();
    await add(kim, kept);
    await database().$executeRaw`DELETE FROM "user" WHERE name = 'kim'`;
    expect(await reasonOf(await come(kept))).toBe(unknown);
  });

  it("of somebody who left the project shows them nothing of it", async () => {
    const lea = await bring(ada, "lea", "builder");
    const kept = makeAuthenticator();
    await add(lea, kept);
    const { items } = (await (await call("GET", "/members", ada)).json()) as {
      items: { id: string; name: string }[];
    };
    const id = items.find(({ name }) => name === "lea")?.id;
    expect((await call("DELETE", `/members/${id}`, ada)).status).toBe(204);
    const back = sessionOf(await come(kept));
    expect((await call("GET", "/builds", back)).status).toBe(403);
  });

  it("leaves a password as it was", async () => {
    expect((await signInAs("ben")).status).toBe(204);
  });
});

describe("a further way to sign in", () => {
  const ask = async (path: string, json: object, who: SignedIn) =>
    await call("POST", path, { json, ...who });

  it("asks who it is once more, where somebody signed in a while ago", async () => {
    const cleo = await bring(ada, "cleo", "builder");
    const path = "/me/passkeys/options";
    expect((await ask(path, {}, cleo)).status).toBe(200);
    await database().$executeRaw`
      UPDATE session SET created_at = now() - interval '11 minutes'
      WHERE user_id = (SELECT id FROM "user" WHERE name = 'cleo')`;
    for (const each of [path, "/me/sign-ins/service"]) {
      const refused = await ask(each, {}, cleo);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({
        error: { reason: "PROOF_WANTED", field: "password" },
      });
      expect(await reasonOf(await ask(each, { password: "not hers at all" }, cleo))).toBe(
        "422 VALIDATION",
      );
    }
    expect((await ask(path, { password }, cleo)).status).toBe(200);
    // Signed in again, she is asked for nothing.
    const fresh = cookieOf(await signInAs("cleo"));
    expect((await ask(path, {}, fresh)).status).toBe(200);
  });

  it("tells whoever has no password to sign in again", async () => {
    const dora = await bring(ada, "dora", "builder");
    await database().$executeRaw`
      UPDATE account SET password = NULL WHERE user_id = (SELECT id FROM "user" WHERE name = 'dora')`;
    await database().$executeRaw`
      UPDATE session SET created_at = now() - interval '11 minutes'
      WHERE user_id = (SELECT id FROM "user" WHERE name = 'dora')`;
    const refused = await ask("/me/passkeys/options", { password }, dora);
    expect(await refused.json()).toMatchObject({
      error: { reason: "PROOF_WANTED", hint: expect.stringContaining("Sign out and in again") },
    });
  });
});
