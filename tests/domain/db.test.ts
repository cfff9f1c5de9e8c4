import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import {
  database,
  type Leadership,
  listen,
  parseId,
  sql,
  sqlStateOf,
  toId,
  tryLead,
  uuidv7,
  withTransaction,
} from "@/lib/server/db";
import { openDatabase } from "../support/domain";
import { withResolvers } from "../support/with-resolvers";

openDatabase();

async function admin<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const { DATABASE_URL } = process.env;
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const { rows } = await client.query<T>(text);
  await client.end();
  return rows;
}

async function until(holds: () => boolean, withinMs = 30_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error("it did not happen");
    await sleep(20);
  }
}

describe("ids", () => {
  it("sort by the time of their making, and are read back only under their own prefix", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      ids.push(uuidv7());
      await sleep(2);
    }
    expect([...ids].sort()).toEqual(ids);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const [uuid = ""] = ids;
    expect(parseId("bld", toId("bld", uuid))).toBe(uuid);
    for (const wrong of [
      toId("mdl", uuid),
      uuid,
      `bld_${uuid}x`,
      "bld_",
      `bld_${uuid.toUpperCase()}`,
    ])
      expect(parseId("bld", wrong)).toBeNull();
  });
});

describe("text from outside", () => {
  const hostile = "a\0b\ud800c\ndone 😀";
  const visible = "a␀b\\u{d800}c\ndone 😀";
  it("is stored with what Postgres refuses made visible, as text, as JSON and inside pieces of SQL", async () => {
    const json = JSON.stringify({ [hostile]: [hostile, { deep: hostile, literal: "\\u0000" }] });
    const [row] = await database().$queryRaw<Record<string, unknown>[]>`
      SELECT ${hostile} AS text, ${json}::jsonb AS json, ${"\\u0000"} AS literal, ${sql`${hostile} || ${"\0"}`} AS piece`;
    expect(row).toEqual({
      text: visible,
      json: { [visible]: [visible, { deep: visible, literal: "\\u0000" }] },
      literal: "\\u0000",
      piece: `${visible}␀`,
    });
    const list = [hostile, "plain"];
    const [found] = await withTransaction(
      (tx) => tx.$queryRaw<{ hit: boolean }[]>`SELECT ${visible} = ANY(${list}::text[]) AS hit`,
    );
    expect(found?.hit).toBe(true);
  });

  it("is stored so by the ordinary calls too", async () => {
    const created = await database().project.create({ data: { id: uuidv7(), name: hostile } });
    expect(created.name).toBe(visible);
  });
});

describe("a transaction", () => {
  it("is run again when it met a deadlock, and both sides end", async () => {
    await database().$executeRaw`INSERT INTO singleton (key) VALUES ('left'), ('right')`;
    let runs = 0;
    const held = new Set<string>();
    const { promise: eachHoldsOne, resolve } = withResolvers();
    const both = (first: string, second: string) =>
      withTransaction(async (tx) => {
        runs++;
        await tx.$executeRaw`UPDATE singleton SET term = term + 1 WHERE key = ${first}`;
        // Neither asks for the other's row before both hold one: from here on they wait for each other.
        held.add(first);
        if (held.size === 2) resolve();
        await eachHoldsOne;
        await tx.$executeRaw`UPDATE singleton SET term = term + 1 WHERE key = ${second}`;
      });
    await Promise.all([both("left", "right"), both("right", "left")]);
    expect(runs).toBeGreaterThan(2);
    const rows = await database().singleton.findMany({ where: { key: { in: ["left", "right"] } } });
    expect(rows.map(({ term }) => term)).toEqual([2, 2]);
  });

  /** Reads a row of a moment and writes to it, after somebody else did so in the first `conflicts` runs. */
  async function writeBehind(conflicts: number) {
    const key = `behind-${conflicts}`;
    await database().singleton.create({ data: { key } });
    let runs = 0;
    const outcome = await withTransaction(async (tx) => {
      runs++;
      await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
      await tx.$queryRaw`SELECT term FROM singleton WHERE key = ${key}`;
      if (runs <= conflicts)
        await admin(`UPDATE singleton SET term = term + 1 WHERE key = '${key}'`);
      await tx.$executeRaw`UPDATE singleton SET term = term + 100 WHERE key = ${key}`;
    }).then(
      () => "done",
      (error: unknown) => sqlStateOf(error) ?? String(error),
    );
    const { term } = await database().singleton.findUniqueOrThrow({ where: { key } });
    return { runs, outcome, term };
  }

  it("is run again after a serialization failure, three times at most", async () => {
    expect(await writeBehind(3)).toEqual({ runs: 4, outcome: "done", term: 103 });
    expect(await writeBehind(4)).toEqual({ runs: 4, outcome: "40001", term: 4 });
  });

  it("leaves nothing when its work throws", async () => {
    await expect(
      withTransaction(async (tx) => {
        await tx.singleton.create({ data: { key: "never" } });
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(await database().singleton.count({ where: { key: "never" } })).toBe(0);
  });
});

describe("listening", () => {
  it("hears its channel, and comes back by itself when the connection is cut", async () => {
    const heard: string[] = [];
    let connects = 0;
    const ear = listen("route", {
      onNotify: (payload) => heard.push(payload),
      onReconnect: () => connects++,
    });
    await until(() => connects === 1);
    await admin("SELECT pg_notify('route', 'one')");
    await until(() => heard.includes("one"));
    await admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'boardwalk-listen' AND datname = current_database()",
    );
    await until(() => connects === 2);
    await admin("SELECT pg_notify('route', 'two'), pg_notify('event', 'not mine')");
    await until(() => heard.includes("two"));
    expect(heard).toEqual(["one", "two"]);
    await ear.close();
    const left = () =>
      admin(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'boardwalk-listen' AND datname = current_database()",
      );
    await expect.poll(left).toEqual([]);
  });
});

describe("leading", () => {
  /** Leads once Postgres has let go of the lock of a session that it ended. */
  async function leadNext(): Promise<Leadership> {
    let next: Leadership | null = null;
    await expect.poll(async () => (next ??= await tryLead())).not.toBeNull();
    return next as unknown as Leadership;
  }

  it("is one process's at a time, with a term that grows, and ends with its connection", async () => {
    const first = await tryLead();
    expect(first).not.toBeNull();
    expect(await tryLead()).toBeNull();
    await admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'boardwalk-leader' AND datname = current_database()",
    );
    await until(() => first?.lost.aborted === true);
    const second = await leadNext();
    expect(second.term).toBeGreaterThan(first?.term ?? 0);
    await second.close();
  });

  it("goes on for as long as the leader lives, and is lost by one that is frozen", async () => {
    const first = await tryLead({ loseAfterMs: 2000 });
    await sleep(3000);
    expect([first?.lost.aborted, await tryLead()]).toEqual([false, null]);
    // A process that is stopped says nothing, though its connection stands.
    const query = vi
      .spyOn(pg.Client.prototype, "query")
      .mockImplementation(() => new Promise(() => {}));
    try {
      await until(() => first?.lost.aborted === true);
    } finally {
      query.mockRestore();
    }
    const second = await leadNext();
    expect(second.term).toBe((first?.term ?? 0) + 1);
    await Promise.all([first?.close(), second.close()]);
  });
});
