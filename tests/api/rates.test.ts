import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { routes } from "@/app/api/v1/openapi.json/routes";
import { database } from "@/lib/server/db";
import { call, openApi, readEvents } from "../support/api";
import { iris, scope } from "../support/domain";
import { bring, joinFirst, type SignedIn } from "../support/people";

// How often each may ask. Each test has a person of its own.

process.env["API_REQUESTS_PER_MINUTE"] = "12";
process.env["PAGE_REQUESTS_PER_MINUTE"] = "40";
process.env["BUILD_SUBMITS_PER_MINUTE"] = "3";
openApi({ hasAccounts: true });

let owner: SignedIn;
beforeAll(async () => {
  owner = await joinFirst("ada");
  // Time stands still: in time that passes each may ask again.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
});
afterAll(() => vi.restoreAllMocks());

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
type Asking = ReturnType<typeof bearer> | SignedIn;

async function tokenOf(who: SignedIn): Promise<ReturnType<typeof bearer>> {
  const json = { name: "a program", scopes: ["read", "build", "deploy"] };
  const made = await call("POST", "/tokens", { json, ...who });
  return bearer(((await made.json()) as { token: string }).token);
}

/** How many of so many requests are answered before one is refused. */
async function ask(count: number, by: () => Asking): Promise<number> {
  for (let n = 0; n < count; n++) {
    const answer = await call("GET", "/builds", by());
    if (answer.status === 200) continue;
    expect(answer.status).toBe(429);
    return n;
  }
  return count;
}

let names = 0;
const deploy = (by: Asking) =>
  call("POST", "/endpoints", {
    json: iris(`model-${names++}`),
    headers: { ...by.headers, prefer: "wait=0" },
  });

describe("programs", () => {
  it("may ask so often a minute with all tokens of a person, and are told when to go on", async () => {
    const ben = await bring(owner, "ben", "admin");
    const tokens = [await tokenOf(ben), await tokenOf(ben)];
    let n = 0;
    expect(await ask(100, () => tokens[n++ % 2] ?? ben)).toBe(12);
    const refused = await call("GET", "/builds", tokens[0]);
    const { error } = (await refused.json()) as { error: { reason: string; hint: string } };
    expect(error).toMatchObject({
      reason: "RATE_LIMITED",
      message: expect.stringContaining("Your programs ask the portal more than 12 times a minute"),
      hint: expect.stringContaining("/api/v1/events"),
    });
    // One every five seconds.
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(5);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // They can still look after it themselves, and nobody else is slower for it.
    expect((await call("GET", "/tokens", ben)).status).toBe(200);
    expect((await call("GET", "/builds", await tokenOf(owner))).status).toBe(200);
  });

  it("count by themselves where they are nobody's", async () => {
    const mine = await tokenOf(await bring(owner, "nina", "admin"));
    const other = await tokenOf(await bring(owner, "otto", "admin"));
    await database().$executeRaw`
      UPDATE token SET user_id = NULL WHERE user_id IN (SELECT id FROM "user" WHERE name IN ('nina', 'otto'))`;
    expect(await ask(100, () => mine)).toBe(12);
    expect(await ask(5, () => other)).toBe(5);
  });

  it("count for what they may not do too", async () => {
    const token = await tokenOf(await bring(owner, "carl", "admin"));
    for (let n = 0; n < 12; n++) expect((await call("GET", "/members", token)).status).toBe(403);
    expect((await call("GET", "/members", token)).status).toBe(429);
  });
});

describe("pages", () => {
  it("may ask more often, together in all of a person's sessions; a stream counts once", async () => {
    const vera = await bring(owner, "vera", "viewer");
    const stream = await call("GET", "/events", vera);
    expect(await ask(100, () => vera)).toBe(39);
    await database()
      .$executeRaw`INSERT INTO event (project_id, noun, target_id) VALUES (${scope}::uuid, 'build', 'bld_x')`;
    const events = await readEvents(stream, (seen) => seen.length > 0);
    expect(events[0]?.event).toBe("change");
  });
});

describe("builds", () => {
  it("may be begun so often a minute by a person, from pages and programs together", async () => {
    const dora = await bring(owner, "dora", "admin");
    const token = await tokenOf(dora);
    for (const by of [dora, token, dora]) expect((await deploy(by)).status).toBe(202);
    for (const by of [dora, token]) {
      const refused = await deploy(by);
      expect(refused.status).toBe(429);
      expect((await refused.json()).error).toMatchObject({
        reason: "RATE_LIMITED",
        message: expect.stringContaining("You begin builds more than 3 times a minute"),
      });
    }
    // What begins none goes on.
    expect((await call("GET", "/builds", dora)).status).toBe(200);
    expect((await deploy(owner)).status).toBe(202);
  });

  it("are declared by every route that begins one", () => {
    const files = readdirSync("app/api/v1", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("route.ts"))
      .map((file) => readFileSync(`app/api/v1/${file}`, "utf8"));
    const begins =
      /\b(prepareDeploy|prepareRevision|retryBuild|requestImport|requestBuild|createBuild)\(/;
    const those = files.filter((text) => begins.test(text));
    expect(those).toHaveLength(4);
    for (const text of those) expect(text).toContain('counts: "submit"');
    const declared = Object.values(routes)
      .flatMap((module) => Object.values(module))
      .flatMap((each) =>
        each instanceof Function && "definition" in each ? [each.definition] : [],
      );
    const named = (counts: string) =>
      declared
        .filter((each) => each.counts === counts)
        .map(({ name }) => name)
        .sort();
    expect(named("submit")).toEqual([
      "artifacts.import",
      "builds.retry",
      "endpoints.create",
      "revisions.create",
      "searches.create",
    ]);
    expect(named("paced")).toEqual(["endpoints.predict", "leases.console.send", "leases.infer"]);
  });
});
