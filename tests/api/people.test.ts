import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Method, routes } from "@/app/api/v1/openapi.json/routes";
import { inviteFirstOwner } from "@/domain/people";
import { type Member, type Need, type Right, rightsOfRole } from "@/lib/common/contract";
import { makeTokenText } from "@/lib/server/auth";
import { database } from "@/lib/server/db";
import { call, openApi, readEvents } from "../support/api";
import { addBoardServer, iris } from "../support/domain";
import {
  bring,
  codeOf,
  cookieOf,
  joinFirst,
  password,
  type SignedIn,
  signInAs,
} from "../support/people";

openApi({ hasAccounts: true });

let owner: SignedIn;
let builder: SignedIn;
let viewer: SignedIn;
/** Admin of another project, who runs nothing. */
let stranger: SignedIn;

beforeAll(async () => {
  owner = await joinFirst("ada");
  builder = await bring(owner, "ben", "builder");
  viewer = await bring(owner, "vera", "viewer");
  const made = await call("POST", "/projects", { json: { name: "astro" }, ...owner });
  const { id } = (await made.json()) as { id: string };
  await call("POST", "/me/project", { json: { project: id }, ...owner });
  stranger = await bring(owner, "stan", "admin");
  const back = (await (await call("GET", "/me", owner)).json()) as {
    projects: { id: string; name: string }[];
  };
  const first = back.projects.find(({ name }) => name === "default");
  await call("POST", "/me/project", { json: { project: first?.id }, ...owner });
});

const reasonOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { error: { reason: string } }).error.reason;
const members = async (who: SignedIn): Promise<Member[]> =>
  ((await (await call("GET", "/members", who)).json()) as { items: Member[] }).items;
const idOf = async (name: string): Promise<string> =>
  (await members(owner)).find((each) => each.name === name)?.id ?? "";

describe("the first owner", () => {
  it("comes in once, takes over what there was, and no second one comes", async () => {
    expect((await members(owner)).map(({ name, role, isAdmin }) => [name, role, isAdmin])).toEqual([
      ["ada", "admin", true],
      ["ben", "builder", false],
      ["vera", "viewer", false],
    ]);
    const { digest } = makeTokenText("invite");
    expect(await inviteFirstOwner(digest)).toBe(false);
  });
});

describe("what somebody may do", () => {
  const every = Object.entries(routes).flatMap(([path, module]) =>
    Object.entries(module).flatMap(([method, handler]) =>
      handler instanceof Function && "definition" in handler
        ? [{ path, method: method as Method, needs: handler.definition.needs as Need }]
        : [],
    ),
  );
  const target = (path: string) => path.replaceAll(/\{\w+\}/g, "nothing");
  /** Streams, which answer until they are left. */
  const isStream = (path: string) => path === "/events";

  /** Who comes past the first question to a route that needs so much. */
  const mayPass = (rights: readonly Right[], need: Need) =>
    need === "nothing" ||
    need === "person" ||
    rights.includes(need as Right) ||
    (need === "oversight" && (rights.includes("members") || rights.includes("admin")));

  it("is what their role says, on every route and whatever they name", async () => {
    // Signing out would end the walk of whoever does it.
    const spared = new Set(["DELETE /session", "DELETE /me/sessions"]);
    const ended = cookieOf(await signInAs("vera"));
    await call("DELETE", "/session", ended);
    const enrolled = await call("POST", "/boards/enrolments", { json: {}, ...owner });
    expect(enrolled.status).toBe(201);
    const { code } = (await enrolled.json()) as { code: string };
    const identities: readonly (readonly [string, object | null, readonly Right[] | null])[] = [
      ["nobody", null, null],
      ["a board server", { headers: { authorization: `Bearer ${code}` } }, null],
      ["a made-up session", { headers: { cookie: `bw-3000=${"A".repeat(43)}.sig` } }, null],
      ["somebody who signed out", ended, null],
      ["viewer", viewer, rightsOfRole.viewer],
      ["builder", builder, rightsOfRole.builder],
      ["admin elsewhere", stranger, rightsOfRole.admin],
      ["owner", owner, [...rightsOfRole.admin, "admin"]],
    ];
    const leaks: string[] = [];
    let asked = 0;
    for (const { path, method, needs } of every) {
      if (spared.has(`${method} ${path}`) || isStream(path)) continue;
      for (const [name, who, rights] of identities) {
        if (rights && mayPass(rights, needs)) continue;
        if (!rights && needs === "nothing") continue;
        asked++;
        const answer = await call(method, target(path), who ?? {});
        const reason = await reasonOf(answer);
        const wanted = rights ? "403 FORBIDDEN" : "401 UNAUTHENTICATED";
        if (`${answer.status} ${reason}` !== wanted)
          leaks.push(`${method} ${path} for ${name}: ${answer.status} ${reason}`);
      }
    }
    console.info(
      `${every.length} routes × ${identities.length} identities: ${asked} of them must be refused, ${leaks.length} leaks`,
    );
    expect(leaks).toEqual([]);
    expect(asked).toBeGreaterThan(450);
  });

  it("ends at the edge of their project: what is another's is as what is not there", async () => {
    const deployed = await call("POST", "/endpoints", {
      json: iris("ours"),
      headers: { ...builder.headers, prefer: "wait=0" },
    });
    expect(deployed.status).toBe(202);
    const { buildId } = (await deployed.json()) as { buildId: string };
    const made = async (path: string, json: object): Promise<string> => {
      const answer = await call("POST", path, { json, ...owner });
      expect(answer.status, path).toBe(201);
      return ((await answer.json()) as { id: string }).id;
    };
    const content = { engine: "boardwalk", options: {} };
    await addBoardServer({ simulatedCapacity: 1 });
    const ice = { model: "icebreaker", kind: "simulated" };
    const hook = { url: "https://hooks.lab.test/x", events: ["build.failed"] };
    const hub = { name: "ours", kind: "huggingface", place: {}, untested: true };
    const theirs: readonly (readonly [start: string, id: string])[] = [
      ["/endpoints/{name}", "ours"],
      ["/builds/{id}", buildId],
      ["/members/{id}", await idOf("vera")],
      ["/recipes/{id}", await made("/recipes", { name: "ours", content })],
      ["/tokens/{id}", await made("/tokens", { name: "ours", scopes: ["read"] })],
      ["/invitations/{id}", await made("/invitations", { role: "viewer", note: "ours" })],
      ["/leases/{id}", await made("/leases", { board: ice })],
      ["/leases/waiting/{id}", await made("/leases/waiting", { board: ice })],
      ["/connections/{id}", await made("/connections", hub)],
      ["/notifications/webhooks/{id}", await made("/notifications/webhooks", hook)],
    ];
    let compared = 0;
    for (const [start, foreign] of theirs) {
      // Of the same form, and of nobody.
      const absent = foreign === "ours" ? "not-there" : `${foreign.slice(0, -4)}0000`;
      for (const { path, method } of every.filter((each) => each.path.startsWith(start))) {
        const ask = async (id: string) => {
          const answer = await call(
            method,
            path.replace(/\{\w+\}/, id).replaceAll(/\{\w+\}/g, "1"),
            { ...stranger, ...(method === "POST" || method === "PATCH" ? { json: {} } : {}) },
          );
          const text = (await answer.text()).replaceAll(id, "ID");
          return `${answer.status} ${text.replace(/"requestId":"[^"]*"/, "")}`;
        };
        expect(await ask(foreign), `${method} ${path}`).toBe(await ask(absent));
        compared++;
      }
    }
    console.info(`${compared} routes × a foreign and an absent id: equal answers, 0 leaks`);
    expect(compared).toBeGreaterThan(35);
    expect(await members(stranger)).toHaveLength(2);
  });

  it("is said with the role that it takes, and who can give it", async () => {
    const refused = await call("POST", "/tokens", {
      json: { name: "x", scopes: ["read"] },
      ...viewer,
    });
    expect(((await refused.json()) as { error: object }).error).toMatchObject({
      message: expect.stringContaining("role admin"),
      hint: expect.stringContaining("admin of the project"),
    });
  });
});

describe("signing in", () => {
  it("sets a cookie that scripts cannot read, and keeps its digest alone", async () => {
    const answer = await signInAs("ben");
    expect(answer.status).toBe(204);
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^bw-3000=[\w-]{43}\./);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).toMatch(/Path=\/(;|$)/);
    const text = /=([\w-]{43})/.exec(cookie)?.[1] ?? "";
    const rows = await database().$queryRaw<{ row: string }[]>`
      SELECT row_to_json(session)::text AS row FROM session
      UNION ALL SELECT row_to_json(account)::text FROM account`;
    expect(rows.length).toBeGreaterThan(3);
    for (const { row } of rows) {
      expect(row).not.toContain(text);
      expect(row).not.toContain(password);
    }
  });

  it("gives a new session each time, whatever the browser showed before", async () => {
    const fixed = `bw-3000=${"B".repeat(43)}.x`;
    const answer = await call("POST", "/session", {
      json: { email: "ben@lab.test", password },
      headers: { cookie: fixed },
    });
    expect(cookieOf(answer).headers.cookie).not.toContain("B".repeat(43));
    expect((await call("GET", "/me", { headers: { cookie: fixed } })).status).toBe(401);
  });

  it("answers a wrong password and somebody unknown with the same, and slows down whoever guesses", async () => {
    const said = new Set<string>();
    for (const name of ["vera", "nobody-of-this-name"]) {
      const answer = await signInAs(name, "not the right one at all");
      expect(answer.status).toBe(401);
      said.add((await answer.text()).replace(/"requestId":"[^"]*"/, ""));
    }
    expect(said.size).toBe(1);
    const answers = await Promise.all(
      Array.from({ length: 14 }, async (_, n) => (await signInAs("guessed", `wrong ${n}`)).status),
    );
    expect(answers.filter((status) => status === 401)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(4);
    // Of others, nobody is slowed down.
    expect((await signInAs("vera")).status).toBe(204);
  });

  it("is refused to pages of other sites", async () => {
    const answer = await call("POST", "/session", {
      json: { email: "ben@lab.test", password },
      headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it("changes nothing for a request that does not say which page asks, and reads", async () => {
    const write = async (options: object) =>
      await call("POST", "/projects", { json: { name: "nowhere" }, ...owner, ...options });
    const asked = await write({ origin: null });
    expect([asked.status, await reasonOf(asked)]).toEqual([403, "CSRF"]);
    const sameOrigin = { ...owner.headers, "sec-fetch-site": "same-origin" };
    expect((await write({ origin: null, headers: sameOrigin })).status).toBeLessThan(300);
    expect((await call("GET", "/me", { ...owner, origin: null })).status).toBe(200);
  });

  it("ends by signing out, here and everywhere, and ends open streams", async () => {
    const here = cookieOf(await signInAs("vera"));
    const there = cookieOf(await signInAs("vera"));
    const stream = await call("GET", "/events", there);
    const reading = readEvents(stream, () => false);
    expect((await call("DELETE", "/session", here)).status).toBe(204);
    expect((await call("GET", "/me", here)).status).toBe(401);
    expect((await call("GET", "/me", there)).status).toBe(200);
    expect((await call("DELETE", "/me/sessions", there)).status).toBe(204);
    expect((await call("GET", "/me", there)).status).toBe(401);
    await reading;
    viewer = cookieOf(await signInAs("vera"));
  });

  it.each([
    ["ahead", 3],
    ["back", -3],
  ])("goes on, and no longer, when the portal's clock jumps three years %s", async (_, years) => {
    const before = cookieOf(await signInAs("vera"));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + years * 365 * 24 * 3600 * 1000 });
    try {
      expect((await call("GET", "/me", before)).status).toBe(200);
      const meanwhile = await signInAs("vera");
      expect(meanwhile.status).toBe(204);
      const { headers } = cookieOf(meanwhile);
      expect((await call("GET", "/me", { headers })).status).toBe(200);
      vi.useRealTimers();
      for (const who of [before, { headers }])
        expect((await call("GET", "/me", who)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
    const [row] = await database().$queryRaw<{ wrong: number }[]>`
      SELECT count(*)::int AS wrong FROM session WHERE created_at > now() OR updated_at > now()
        OR expires_at NOT BETWEEN now() AND now() + interval '12 hours'`;
    expect(row?.wrong).toBe(0);
  });

  it("ends when nobody used it for 12 hours, and after 7 days in any case", async () => {
    for (const change of [
      "expires_at = now() - interval '1 second'",
      "created_at = now() - interval '7 days 1 second'",
    ]) {
      const who = cookieOf(await signInAs("vera"));
      expect((await call("GET", "/me", who)).status).toBe(200);
      await database().$executeRawUnsafe(
        `UPDATE session SET ${change} WHERE id = (SELECT id FROM session ORDER BY created_at DESC, id DESC LIMIT 1)`,
      );
      expect((await call("GET", "/me", who)).status).toBe(401);
    }
  });
});

describe("passwords", () => {
  it.each(["password1234", "vera@lab.test!", "aaaaaaaaaaaaaa", "boardwalk1234", "veraveravera1"])(
    "such as %s are refused, since they are tried first",
    async (bad) => {
      const answer = await call("POST", "/me/password", {
        json: { current: password, password: bad },
        ...viewer,
      });
      expect(answer.status).toBe(422);
    },
  );

  it("are changed by who knows the old one, who is then signed out everywhere else", async () => {
    const here = cookieOf(await signInAs("ben"));
    const there = cookieOf(await signInAs("ben"));
    const next = "another four words together";
    const wrong = await call("POST", "/me/password", {
      json: { current: "not it at all", password: next },
      ...here,
    });
    expect(wrong.status).toBe(422);
    const changed = await call("POST", "/me/password", {
      json: { current: password, password: next },
      ...here,
    });
    expect(changed.status).toBe(204);
    expect((await call("GET", "/me", here)).status).toBe(200);
    expect((await call("GET", "/me", there)).status).toBe(401);
    expect((await signInAs("ben")).status).toBe(401);
    builder = cookieOf(await signInAs("ben", next));
  });
});

describe("a forgotten password", () => {
  it("is set by a link, which somebody who runs this Boardwalk makes, once", async () => {
    const id = await idOf("vera");
    const admin = await bring(owner, "nora", "admin");
    expect((await call("POST", `/members/${id}/password-link`, admin)).status).toBe(403);
    const made = await call("POST", `/members/${id}/password-link`, owner);
    const { url } = (await made.json()) as { url: string };
    const code = new URL(url).hash.slice(1);
    const before = cookieOf(await signInAs("vera"));
    const next = "seven new words are better";
    const both = await Promise.all(
      [1, 2].map(() => call("POST", "/passwords", { json: { code, password: next } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([204, 422]);
    expect((await call("GET", "/me", before)).status).toBe(401);
    expect((await signInAs("vera")).status).toBe(401);
    viewer = cookieOf(await signInAs("vera", next));
    // A link for passwords lets nobody in, and an invitation sets no password.
    expect((await call("POST", "/invitations/offer", { json: { code } })).status).toBe(422);
  });
});

describe("invitations", () => {
  it("let one person in, and are the same once taken as never made", async () => {
    const code = await codeOf(owner, "viewer");
    const both = await Promise.all([
      call("POST", "/invitations/join", {
        json: { code, name: "one", email: "one@lab.test", password },
      }),
      call("POST", "/invitations/join", {
        json: { code, name: "two", email: "two@lab.test", password },
      }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 422]);
    const offers = await Promise.all(
      [code, makeTokenText("invite").text].map(async (each) =>
        (await (await call("POST", "/invitations/offer", { json: { code: each } })).text()).replace(
          /"requestId":"[^"]*"/,
          "",
        ),
      ),
    );
    expect(new Set(offers).size).toBe(1);
  });

  it("do not give an account to somebody else's address", async () => {
    const answer = await call("POST", "/invitations/join", {
      json: { code: await codeOf(owner, "viewer"), name: "x", email: "BEN@lab.test", password },
    });
    expect(answer.status).toBe(409);
    expect(await reasonOf(answer)).toBe("EMAIL_TAKEN");
  });

  it("bring somebody who has an account into another project", async () => {
    const code = await codeOf(owner, "viewer");
    expect(
      (await call("POST", "/invitations/accept", { json: { code }, ...stranger })).status,
    ).toBe(204);
    const me = (await (await call("GET", "/me", stranger)).json()) as {
      projects: { id: string; name: string; role: string; isCurrent: boolean }[];
    };
    expect(me.projects.find(({ isCurrent }) => isCurrent)?.name).toBe("default");
    const [astro] = me.projects;
    await call("POST", "/me/project", { json: { project: astro?.id }, ...stranger });
    expect(me.projects.map(({ name, role }) => [name, role])).toEqual([
      ["astro", "admin"],
      ["default", "viewer"],
    ]);
  });

  it("take no role away from whoever has more", async () => {
    const code = await codeOf(owner, "viewer");
    expect((await call("POST", "/invitations/accept", { json: { code }, ...owner })).status).toBe(
      204,
    );
    expect((await call("GET", "/invitations", owner)).status).toBe(200);
  });

  it("are taken back", async () => {
    const made = await call("POST", "/invitations", {
      json: { role: "viewer", note: "gone" },
      ...owner,
    });
    const { id, url } = (await made.json()) as { id: string; url: string };
    expect((await call("DELETE", `/invitations/${id}`, owner)).status).toBe(204);
    const code = new URL(url).hash.slice(1);
    expect((await call("POST", "/invitations/offer", { json: { code } })).status).toBe(422);
  });
});

describe("members", () => {
  it("who become something else sign in again, and may what they are then", async () => {
    const who = await bring(owner, "rolf", "viewer");
    const id = await idOf("rolf");
    expect(
      (await call("POST", `/members/${id}/role`, { json: { role: "admin" }, ...owner })).status,
    ).toBe(204);
    expect((await call("GET", "/me", who)).status).toBe(401);
    const again = cookieOf(await signInAs("rolf"));
    expect((await call("GET", "/invitations", again)).status).toBe(200);
  });

  it("who leave take their tokens along", async () => {
    const who = await bring(owner, "tom", "admin");
    const made = await call("POST", "/tokens", { json: { name: "x", scopes: ["read"] }, ...who });
    const { token } = (await made.json()) as { token: string };
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    expect((await call("GET", "/builds", bearer)).status).toBe(200);
    expect((await call("DELETE", `/members/${await idOf("tom")}`, owner)).status).toBe(204);
    expect((await call("GET", "/builds", bearer)).status).toBe(401);
    const again = cookieOf(await signInAs("tom"));
    const refused = await call("GET", "/builds", again);
    expect(refused.status).toBe(403);
    expect(((await refused.json()) as { error: object }).error).toMatchObject({
      message: "You are in no project.",
    });
  });

  it("leave no project without an admin", async () => {
    const stan = (await members(stranger)).find(({ isYou }) => isYou);
    const ada = (await members(stranger)).find(({ name }) => name === "ada");
    expect((await call("DELETE", `/members/${ada?.id}`, stranger)).status).toBe(204);
    for (const answer of [
      await call("DELETE", `/members/${stan?.id}`, stranger),
      await call("POST", `/members/${stan?.id}/role`, { json: { role: "viewer" }, ...stranger }),
    ]) {
      expect(answer.status).toBe(409);
    }
  });

  it.each([
    [204, `<b>"O'Neil"</b> 東京 नमस्ते\u200d`, "o.neil"],
    [422, "turned \u202e round", "turned"],
    [422, "two\nlines", "lines"],
    [422, " ", "nothing"],
  ])("answers %s to somebody who is called %j", async (status, name, email) => {
    const answer = await call("POST", "/invitations/join", {
      json: {
        code: await codeOf(cookieOf(await signInAs("ada")), "viewer"),
        name,
        email: `${email}@lab.test`,
        password,
      },
    });
    expect(answer.status).toBe(status);
  });
});
