import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { POST as enrolServer } from "@/app/api/board-server/v1/enrol/route";
import { type Method, routes } from "@/app/api/v1/openapi.json/routes";
import { settleIntents } from "@/domain/audit-log";
import { createEnrolment } from "@/domain/board-servers";
import type { AuditEntry, Lease, Member } from "@/lib/common/contract";
import { Refusals, writeIntent } from "@/lib/server/audit-log";
import { makeTokenText } from "@/lib/server/auth";
import { database, uuidv7 } from "@/lib/server/db";
import { call, openApi, portal } from "../support/api";
import { addBoardServer, iris } from "../support/domain";
import { bring, cookieOf, joinFirst, password, type SignedIn, signInAs } from "../support/people";

openApi({ hasAccounts: true });

let owner: SignedIn;
let admin: SignedIn;
let builder: SignedIn;
/** Admin of another project, who runs nothing. */
let stranger: SignedIn;

const from = { "x-bw-client": "192.0.2.7" };
const by = (who: SignedIn) => ({ headers: { ...who.headers, ...from } });

beforeAll(async () => {
  owner = await joinFirst("ada");
  admin = await bring(owner, "nora", "admin");
  builder = await bring(owner, "ben", "builder");
  const projects = async () =>
    (
      (await (await call("GET", "/me", owner)).json()) as {
        projects: { id: string; name: string }[];
      }
    ).projects;
  const made = await call("POST", "/projects", { json: { name: "astro" }, ...owner });
  const { id } = (await made.json()) as { id: string };
  await call("POST", "/me/project", { json: { project: id }, ...owner });
  stranger = await bring(owner, "stan", "admin");
  const first = (await projects()).find(({ name }) => name === "default");
  await call("POST", "/me/project", { json: { project: first?.id }, ...owner });
});

const entries = async (who: SignedIn, query = ""): Promise<AuditEntry[]> => {
  const answer = await call("GET", `/audit?limit=200${query}`, who);
  expect(answer.status, answer.status === 200 ? "" : await answer.text()).toBe(200);
  return ((await answer.json()) as { items: AuditEntry[] }).items;
};
const last = async (action: string, who = owner): Promise<AuditEntry | undefined> =>
  (await entries(who, `&action=${action}`))[0];

describe("the audit log", () => {
  it("says who did what, to what, when and from where", async () => {
    const began = Date.now();
    const deployed = await call("POST", "/endpoints", {
      json: iris("logged"),
      headers: { ...builder.headers, ...from, prefer: "wait=0" },
    });
    expect(deployed.status).toBe(202);
    const entry = await last("endpoints.create");
    expect(entry).toMatchObject({
      actor: { kind: "person", id: expect.stringMatching(/^usr_/), name: "ben" },
      target: { noun: "endpoint", id: "logged", name: "logged" },
      project: { name: "default" },
      result: "done",
      reason: null,
      times: 1,
      requestId: deployed.headers.get("x-request-id"),
      address: "192.0.2.7",
    });
    expect(Math.abs(Date.parse(entry?.at ?? "") - began)).toBeLessThan(3600_000);
    expect((await call("DELETE", "/endpoints/logged", by(builder))).status).toBe(202);
    expect(await last("endpoints.delete")).toMatchObject({
      actor: { name: "ben" },
      target: { noun: "endpoint", id: "logged" },
    });
  });

  it("tells those of a project nothing of another that was made while somebody worked in theirs", async () => {
    expect(await last("projects.create")).toMatchObject({
      actor: { name: "ada" },
      target: { noun: "project", name: "astro" },
      project: null,
    });
    const astro = (await last("projects.create"))?.target?.id;
    const limits = { runningBuilds: 3, queuedBuilds: 5, buildMinutes: null, boards: null };
    const more = { storageBytes: null, requestsPerSecond: null };
    await call("POST", `/projects/${astro}/quotas`, { json: { ...limits, ...more }, ...owner });
    expect(await last("projects.set-quotas", stranger)).toMatchObject({ target: { id: astro } });
    expect(JSON.stringify(await entries(admin))).not.toMatch(/astro|set-quotas/);
    expect(JSON.stringify(await entries(admin))).not.toContain(astro);
  });

  it("has who signed in, and who did not", async () => {
    expect((await signInAs("ben")).status).toBe(204);
    expect(await last("session.create")).toMatchObject({
      actor: { kind: "person", name: "ben" },
      target: { noun: "member", name: "ben" },
      result: "done",
      project: null,
    });
    expect((await signInAs("nora", "a wrong one")).status).toBe(401);
    expect(await last("session.create")).toMatchObject({
      actor: { kind: "nobody", id: null, name: null },
      target: { noun: "member", name: "nora" },
      result: "refused",
      reason: "UNAUTHENTICATED",
    });
    expect((await signInAs("no-such-person", "a wrong one")).status).toBe(401);
    expect(await last("session.create")).toMatchObject({ target: null, result: "refused" });
    const rows = await database().$queryRaw<{ row: string }[]>`
      SELECT row_to_json(audit_entry)::text AS row FROM audit_entry`;
    expect(rows.map(({ row }) => row).join()).not.toContain("no-such-person");
  });

  it("has another role, tokens that are made and revoked, and what they do", async () => {
    const people = (await (await call("GET", "/members", admin)).json()) as { items: Member[] };
    const ben = people.items.find(({ name }) => name === "ben")?.id ?? "";
    await call("POST", `/members/${ben}/role`, { json: { role: "viewer" }, ...by(admin) });
    expect(await last("members.change-role", admin)).toMatchObject({
      actor: { name: "nora" },
      target: { noun: "member", id: ben, name: "ben" },
      result: "done",
    });
    const made = await call("POST", "/tokens", {
      json: { name: "night run", scopes: ["read", "deploy"] },
      ...by(admin),
    });
    const { id, token } = (await made.json()) as { id: string; token: string };
    expect(await last("tokens.create", admin)).toMatchObject({
      target: { noun: "token", id, name: "night run" },
    });
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    await call("POST", "/endpoints", {
      json: iris("by-token"),
      headers: { ...bearer.headers, prefer: "wait=0" },
    });
    expect(await last("endpoints.create", admin)).toMatchObject({
      actor: { kind: "token", id, name: "night run" },
    });
    expect((await call("POST", "/projects", { json: { name: "no" }, ...bearer })).status).toBe(403);
    expect(await last("projects.create", admin)).toMatchObject({
      actor: { kind: "token", name: "night run" },
      result: "refused",
      reason: "FORBIDDEN",
    });
    expect((await call("DELETE", `/tokens/${id}`, by(admin))).status).toBe(204);
    expect(await last("tokens.revoke", admin)).toMatchObject({ target: { name: "night run" } });
    // Its project learns that somebody goes on showing it.
    expect((await call("GET", "/builds", bearer)).status).toBe(401);
    expect(await last("builds.list", admin)).toMatchObject({
      actor: { kind: "token", id, name: "night run" },
      result: "refused",
      reason: "UNAUTHENTICATED",
    });
    builder = cookieOf(await signInAs("ben"));
    expect((await call("GET", "/audit", builder)).status).toBe(403);
    expect(await last("audit.list", admin)).toMatchObject({
      actor: { name: "ben" },
      result: "refused",
    });
  });

  it("tells admins of their project alone, and who runs the installation of all", async () => {
    await call("POST", "/recipes", {
      json: { name: "theirs", content: { engine: "boardwalk", options: {} } },
      ...stranger,
    });
    const seen = await entries(stranger);
    expect(new Set(seen.map(({ project }) => project?.name))).toEqual(new Set(["astro"]));
    expect(seen.map(({ action }) => action)).toContain("recipes.create");
    expect((await entries(admin)).every(({ project }) => project?.name === "default")).toBe(true);
    const all = await entries(owner);
    expect(new Set(all.map(({ project }) => project?.name))).toEqual(
      new Set(["astro", "default", undefined]),
    );
  });

  it("has nothing of what was refused before it did anything, and of what only asks", async () => {
    const count = async () => (await entries(owner)).length;
    const before = await count();
    await call("POST", "/endpoints", { json: { name: "!" }, ...owner });
    await call("DELETE", "/endpoints/not-there", owner);
    await call("POST", "/invitations/offer", { json: { code: "x" } });
    expect(await count()).toBe(before);
    const intents = await database().$queryRaw<unknown[]>`SELECT 1 FROM audit_intent`;
    expect(intents).toEqual([]);
  });

  it("holds nothing secret, whatever callers send where", async () => {
    const planted = ["planted-hunter2", makeTokenText("api").text, makeTokenText("invite").text];
    for (const secret of planted) {
      const header = { headers: { ...owner.headers, "x-secret": secret } };
      await call("DELETE", `/tokens/${secret}`, header);
      await call("DELETE", `/tokens/${secret}`, builder);
      await call("POST", `/endpoints/${secret}/pause?token=${secret}`, builder);
      await call("POST", "/session", { json: { email: `${secret}@lab.test`, password: secret } });
      await call("POST", "/me/password", { json: { current: secret, password: secret }, ...owner });
      await call("GET", "/builds", { headers: { authorization: `Bearer ${secret}` } });
      await call("POST", "/invitations/accept", { json: { code: secret }, ...owner });
      await call("POST", "/notifications/webhooks", {
        json: { url: `https://u:${secret}@hooks.lab.test/${secret}`, events: ["build.failed"] },
        ...owner,
      });
    }
    const rows = await database().$queryRaw<{ row: string }[]>`
      SELECT row_to_json(audit_entry)::text AS row FROM audit_entry
      UNION ALL SELECT row_to_json(audit_intent)::text FROM audit_intent`;
    const text = rows.map(({ row }) => row).join("\n");
    // As a name, the first could be an endpoint's; the log has no more than that it was asked for.
    for (const secret of [...planted.slice(1), password]) expect(text).not.toContain(secret);
  });
});

describe("entries", () => {
  it("are neither changed nor deleted until they are a year old", async () => {
    const db = database();
    const tries = [
      "UPDATE audit_entry SET actor_name = 'somebody else'",
      "DELETE FROM audit_entry",
      "DELETE FROM audit_entry WHERE at > now() - interval '364 days'",
      "TRUNCATE audit_entry",
    ];
    for (const statement of tries)
      await expect(db.$executeRawUnsafe(statement), statement).rejects.toThrow(/only added to/);
    await db.$executeRaw`INSERT INTO audit_entry (id, at, actor_kind, action, result)
      VALUES (${uuidv7()}::uuid, now() - interval '366 days', 'owner', 'old.one', 'done')`;
    expect(await db.$executeRaw`DELETE FROM audit_entry WHERE action = 'old.one'`).toBe(1);
  });

  it("are found by who, what, to what, how and when, and come page by page", async () => {
    expect((await entries(owner, "&actor=ben")).every(({ actor }) => actor.name === "ben")).toBe(
      true,
    );
    const some = await entries(owner, "&action=tokens&actor=nora");
    expect(some.map(({ action }) => action)).toEqual(["tokens.revoke", "tokens.create"]);
    expect((await entries(owner, "&target=logged")).map(({ action }) => action)).toEqual([
      "endpoints.delete",
      "endpoints.create",
    ]);
    const refused = await entries(owner, "&result=refused");
    expect(refused.length).toBeGreaterThan(2);
    expect(refused.every(({ result }) => result === "refused")).toBe(true);
    expect(await entries(owner, "&to=2020-01-01T00:00:00Z")).toEqual([]);
    expect((await entries(owner, "&from=1h")).length).toBeGreaterThan(5);
    const seen: string[] = [];
    let cursor = "";
    do {
      const answer = await call("GET", `/audit?limit=3${cursor}`, admin);
      const page = (await answer.json()) as { items: AuditEntry[]; nextCursor: string | null };
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
    } while (cursor !== "");
    expect(seen).toEqual((await entries(admin)).map(({ id }) => id));
    for (const query of ["result=perhaps", "from=soon", "cursor=eyJ", "who=ben", "actor=a%00b"])
      expect((await call("GET", `/audit?${query}`, owner)).status, query).toBeLessThan(500);
  });

  it("come as CSV that a spreadsheet runs nothing of, and as lines of JSON", async () => {
    await call("POST", "/tokens", { json: { name: "=1+1", scopes: ["read"] }, ...admin });
    const csv = await call("GET", "/audit?format=csv", admin);
    expect(csv.headers.get("content-disposition")).toContain("audit.csv");
    const text = await csv.text();
    expect(text.split("\r\n")[0]).toMatch(/^id,at,actorKind,/);
    expect(text).toContain(",'=1+1,");
    expect(text).not.toContain(",=1+1");
    const lines = (
      await (await call("GET", "/audit?format=jsonl&action=tokens&result=done", admin)).text()
    )
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { targetName: string });
    expect(lines[0]?.targetName).toBe("=1+1");
    expect(lines.length).toBe(3);
  });

  it("come of every route that changes something", () => {
    const asking = Object.entries(routes).flatMap(([path, module]) =>
      (["POST", "PATCH", "DELETE"] satisfies Method[]).flatMap((method) =>
        module[method]?.definition.audit?.changesNothing === true ? [`${method} ${path}`] : [],
      ),
    );
    expect(asking.sort()).toEqual(
      [
        "DELETE /searches/{id}",
        "POST /doctor/checks",
        "POST /endpoints/{name}/float",
        "POST /endpoints/{name}/predict",
        "POST /forecasts/built",
        "POST /forecasts/equal",
        "POST /invitations/offer",
        "POST /leases/{id}/console",
        "POST /leases/{id}/infer",
        "POST /models/inspect",
        "POST /models/{id}/look",
        "POST /passwords/offer",
        "POST /rows",
        "POST /searches",
        "POST /settings/connections/{id}/test",
      ].sort(),
    );
  });

  it("tell of what the portal died over that nobody knows how it ended", async () => {
    await writeIntent({
      actor: { kind: "owner", id: null },
      projectId: null,
      action: "endpoints.pause",
      target: { noun: "endpoint", id: "lost", name: null },
      claim: null,
      requestId: "0197a1b2-0000-7000-8000-000000000000",
      address: null,
    });
    expect(await settleIntents()).toBe(0);
    await database().$executeRaw`UPDATE audit_intent SET at = now() - interval '2 hours'`;
    expect(await settleIntents()).toBe(1);
    const [entry] = await entries(owner, "&target=lost");
    expect(entry).toMatchObject({ action: "endpoints.pause", result: "unknown" });
  });

  it("are written before anything is done: what cannot be written down is not done", async () => {
    await database().$executeRaw`ALTER TABLE audit_intent RENAME TO audit_intent_away`;
    try {
      const answer = await call("POST", "/tokens", {
        json: { name: "unseen", scopes: ["read"] },
        ...admin,
      });
      expect(answer.status).toBeGreaterThanOrEqual(500);
    } finally {
      await database().$executeRaw`ALTER TABLE audit_intent_away RENAME TO audit_intent`;
    }
    const made = await database().$queryRaw<unknown[]>`SELECT 1 FROM token WHERE name = 'unseen'`;
    expect(made).toEqual([]);
  });
});

describe("refusals", () => {
  const deed = (n: number, address = "192.0.2.1") => ({
    actor: { kind: "nobody" as const, id: null },
    projectId: null,
    action: `route.${n}`,
    target: { noun: null, id: null, name: null },
    claim: null,
    requestId: uuidv7(),
    address,
  });

  it("of a flood are a few entries, which count them all", async () => {
    const written: { action: string; times: number }[] = [];
    const refusals = new Refusals({
      mostKinds: 5,
      write: async ({ action }, _, times) => void written.push({ action, times }),
    });
    for (let n = 0; n < 1000; n++) await refusals.note(deed(n % 20), "UNAUTHENTICATED");
    expect(written).toHaveLength(6);
    await refusals.end();
    expect(written.length).toBeLessThanOrEqual(12);
    expect(written.reduce((sum, { times }) => sum + times, 0)).toBe(1000);
    expect(written.filter(({ action }) => action === "refusals.others").length).toBeGreaterThan(0);
  });

  it("of a thousand wrong tokens are a handful of rows", async () => {
    const count = async () =>
      (await database().$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM audit_entry`)[0]
        ?.n ?? 0;
    const before = await count();
    await Promise.all(
      Array.from({ length: 1000 }, () =>
        call("GET", "/builds", {
          headers: { authorization: `Bearer ${makeTokenText("api").text}` },
        }),
      ),
    );
    expect((await count()) - before).toBeLessThanOrEqual(51);
  });
});

describe("leases and board servers in the audit log", () => {
  const board = { model: "icebreaker", kind: "simulated" };

  it("are told of by their boards, each deed by itself", async () => {
    await addBoardServer({ simulatedCapacity: 1 });
    const made = await call("POST", "/leases", { json: { board }, ...by(owner) });
    expect(made.status).toBe(201);
    const { id, boardId, boardName } = (await made.json()) as Lease;
    expect(await last("leases.create")).toMatchObject({
      actor: { name: "ada" },
      target: { noun: "lease", id, name: boardName },
    });
    const wait = await call("POST", "/leases/waiting", {
      json: { board: { id: boardId } },
      ...by(admin),
    });
    const { id: place } = (await wait.json()) as { id: string };
    expect((await call("DELETE", `/leases/waiting/${place}`, by(admin))).status).toBe(204);
    expect(await last("leases.waiting.leave")).toMatchObject({
      actor: { name: "nora" },
      target: { noun: "lease_wait", id: place, name: boardName },
    });
    expect((await call("POST", `/leases/${id}/release`, by(admin))).status).toBe(200);
    expect(await last("leases.release")).toMatchObject({
      actor: { name: "nora" },
      target: { noun: "lease", id, name: boardName },
    });
  });

  it("are filtered by project for whoever runs the installation, and for nobody else", async () => {
    const made = await call("POST", "/tokens", {
      json: { name: "of astro", scopes: ["read"] },
      ...by(stranger),
    });
    expect(made.status).toBe(201);
    const projectsOf = async (who: SignedIn, query: string) => [
      ...new Set((await entries(who, query)).map(({ project }) => project?.name ?? "-")),
    ];
    expect(await projectsOf(owner, "&project=astro")).toEqual(["astro"]);
    expect(await projectsOf(owner, "&project=default")).toEqual(["default"]);
    expect(await projectsOf(owner, "&project=-")).toEqual(["-"]);
    expect(await projectsOf(owner, "&project=nowhere")).toEqual([]);
    expect(await projectsOf(admin, "&project=astro")).toEqual([]);
    expect(await projectsOf(stranger, "&project=astro")).toEqual(["astro"]);
  });

  it("say when a board server came, when another took its name, and whose code was not taken", async () => {
    const enrol = async (code: string, key: Buffer) =>
      await enrolServer(
        new Request(`${portal}/api/board-server/v1/enrol`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-bw-client": "192.0.2.9" },
          body: JSON.stringify({
            code,
            name: "lab-1",
            publicKey: key.toString("base64"),
            address: { kind: "tcp", host: "127.0.0.1", port: 1 },
            boards: [],
            simulatedCapacity: 0,
          }),
        }),
      );
    const code = async () => (await createEnrolment()).code;
    const first = await enrol(await code(), randomBytes(32));
    expect(first.status).toBe(200);
    const { serverId } = (await first.json()) as { serverId: string };
    expect(await entries(owner, "&action=board_servers")).toMatchObject([
      {
        actor: { kind: "board_server" },
        action: "board_servers.enrol",
        target: { noun: "board_server", id: serverId, name: "lab-1" },
        project: null,
        result: "done",
        address: "192.0.2.9",
      },
    ]);
    expect((await enrol(await code(), randomBytes(32))).status).toBe(200);
    expect((await entries(owner, "&action=board_servers")).map(({ action }) => action)).toEqual([
      "board_servers.key.replace",
      "board_servers.enrol",
      "board_servers.enrol",
    ]);
    expect((await enrol("bw_enrol_guess", randomBytes(32))).status).toBeGreaterThanOrEqual(400);
    expect(await last("board_servers.enrol")).toMatchObject({
      result: "refused",
      reason: "ENROLMENT_INVALID",
    });
    expect(await entries(admin, "&action=board_servers")).toEqual([]);
    const text = JSON.stringify(await entries(owner));
    expect(text).not.toMatch(/bw_enrol_/);
  });
});
