import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  addConnection,
  changeConnection,
  connectionsOfProject,
  draftChange,
  draftConnection,
  openSecret,
  sealConnectionsAgain,
} from "@/domain/connections";
import { addWebhook, openWebhookSecret, sealWebhooksAgain } from "@/domain/notifications";
import { idPrefixes } from "@/lib/common/contract";
import { database, toId, withTransaction } from "@/lib/server/db";
import { openDatabase, scope } from "../support/domain";

// A new key seals what an older one sealed, so that the older one can go.

openDatabase();

const folder = mkdtempSync(join(tmpdir(), "bw-seal-again-"));
afterAll(() => rmSync(folder, { recursive: true }));
const keyFile = join(folder, "connections.key");
const rules = { policy: { allowedHosts: [] }, keyFile };
const line = (byte: number) => Buffer.alloc(32, byte).toString("base64");
const older = line(1);
const newer = line(2);
const holds = (...lines: readonly string[]) => writeFileSync(keyFile, `${lines.join("\n")}\n`);

/** Adds a connection whose secret the first key of now seals. Answers its UUID. */
async function connect(name: string): Promise<string> {
  const place = { host: `${name}.example.com:443` };
  const secret = { token: `token-of-${name}` };
  const draft = await draftConnection(scope, { kind: "https", name, place, secret }, rules);
  await addConnection(scope, draft, null);
  return draft.id;
}

const shown = (id: string) => toId(idPrefixes.connection, id);
const rowOf = (id: string) => database().connection.findUniqueOrThrow({ where: { id } });

/** What every connection is opened by, by its name; why not, where it is not. */
async function opened(): Promise<Record<string, unknown>> {
  const all = await connectionsOfProject(scope);
  const each = all.map(async (connection) => [
    connection.leads.name,
    await openSecret(connection, keyFile).catch(({ reason }) => reason),
  ]);
  return Object.fromEntries(await Promise.all(each));
}

beforeEach(async () => {
  await database().connection.deleteMany();
  await database().webhook.deleteMany();
  holds(older);
});

describe("secrets of connections", () => {
  it("are sealed again with the first key, and open once the older one is gone", async () => {
    const [one] = [await connect("one"), await connect("two")];
    const before = await rowOf(one);
    holds(newer, older);
    await connect("three");
    expect(await sealConnectionsAgain(keyFile)).toEqual({ again: 2, already: 1, failed: [] });
    holds(newer);
    expect(await opened()).toEqual({
      one: { token: "token-of-one" },
      two: { token: "token-of-two" },
      three: { token: "token-of-three" },
    });
    // Nothing about it is another, so that a test of before still holds, and nobody's change is refused.
    expect({ ...(await rowOf(one)), secret: "" }).toEqual({ ...before, secret: "" });
  });

  it("are left alone by a second run, and by one beside it", async () => {
    for (const name of ["one", "two", "three"]) await connect(name);
    holds(newer, older);
    const both = await Promise.all([sealConnectionsAgain(keyFile), sealConnectionsAgain(keyFile)]);
    expect(both.map(({ again, already }) => again + already)).toEqual([3, 3]);
    expect(both.reduce((sum, { again }) => sum + again, 0)).toBe(3);
    const sealed = (await connectionsOfProject(scope)).map(({ secret }) => secret);
    expect(await sealConnectionsAgain(keyFile)).toEqual({ again: 0, already: 3, failed: [] });
    expect((await connectionsOfProject(scope)).map(({ secret }) => secret)).toEqual(sealed);
  });

  it("that somebody replaces meanwhile are the ones that they gave", async () => {
    const id = await connect("one");
    holds(newer, older);
    const change = await draftChange(
      scope,
      shown(id),
      { secret: { token: "another" }, untested: true },
      rules,
    );
    let again: ReturnType<typeof sealConnectionsAgain> | undefined;
    await withTransaction(async (tx) => {
      // The row is held, so that what was read of it is old when it is written.
      const { secret, version } = change.draft;
      await tx.connection.update({
        where: { id },
        data: { secret, version: version + 1 },
      });
      again = sealConnectionsAgain(keyFile);
      await untilOneWaits();
    });
    expect(await again).toEqual({ again: 0, already: 1, failed: [] });
    expect(await opened()).toEqual({ one: { token: "another" } });
  });

  it("stay sealed again under a change that was begun before, which holds too", async () => {
    const id = await connect("one");
    holds(newer, older);
    const change = await draftChange(scope, shown(id), { name: "renamed" }, rules);
    expect(await sealConnectionsAgain(keyFile)).toMatchObject({ again: 1 });
    await changeConnection(scope, change, null);
    holds(newer);
    expect(await opened()).toEqual({ renamed: { token: "token-of-one" } });
  });

  it("that are gone by the time of their turn are none", async () => {
    const [one, two] = [await connect("one"), await connect("two")];
    holds(newer, older);
    let again: ReturnType<typeof sealConnectionsAgain> | undefined;
    await withTransaction(async (tx) => {
      await tx.connection.delete({ where: { id: one } });
      await tx.connection.update({ where: { id: two }, data: { secret: null, secretSetAt: null } });
      again = sealConnectionsAgain(keyFile);
      await untilOneWaits();
    });
    expect(await again).toEqual({ again: 0, already: 0, failed: [] });
  });

  it("that cannot be opened are named with what to do, and stay as they are; the others are sealed", async () => {
    const lost = await connect("lost");
    const damaged = await connect("damaged");
    await connect("whole");
    const { secret } = await rowOf(damaged);
    await database().connection.update({
      where: { id: damaged },
      data: { secret: `${secret?.slice(0, -4)}AAAA` },
    });
    const ofLost = (await rowOf(lost)).secret?.replace(/^v1\.\w+/, "v1.0123456789abcdef") ?? "";
    await database().connection.update({ where: { id: lost }, data: { secret: ofLost } });
    holds(newer, older);
    const { again, already, failed } = await sealConnectionsAgain(keyFile);
    expect([again, already]).toEqual([1, 0]);
    expect(failed).toMatchObject([
      {
        name: `connection lost of project default (${shown(lost)})`,
        error: {
          reason: "SEALING_KEY_INVALID",
          message: expect.stringContaining("the key 0123456789abcdef"),
          hint: expect.stringContaining(keyFile),
        },
      },
      {
        name: `connection damaged of project default (${shown(damaged)})`,
        error: { reason: "SECRET_UNREADABLE", hint: expect.stringContaining("Connections") },
      },
    ]);
    expect((await rowOf(lost)).secret).toBe(ofLost);
    expect(await opened()).toMatchObject({ whole: { token: "token-of-whole" } });
  });

  it("stay as they are without the file, and no key is made for them", async () => {
    await connect("one");
    const before = readFileSync(keyFile, "utf8");
    rmSync(keyFile);
    expect(await sealConnectionsAgain(keyFile)).toMatchObject({
      again: 0,
      failed: [{ error: { reason: "SEALING_KEY_INVALID" } }],
    });
    expect(() => readFileSync(keyFile)).toThrow("ENOENT");
    writeFileSync(keyFile, before);
    expect(await opened()).toEqual({ one: { token: "token-of-one" } });
  });
});

describe("secrets of webhooks", () => {
  const url = "https://hooks.example.com/services/of-the-receiver";
  const add = () => addWebhook(scope, { url, events: ["build.failed"] }, rules);
  const all = () => database().webhook.findMany({ orderBy: { id: "asc" } });
  const openedHooks = async () =>
    await Promise.all((await all()).map((row) => openWebhookSecret(row, keyFile)));

  it("are sealed again with the first key, those that nothing sealed too", async () => {
    const { secret } = await add();
    const plain = "whsec_of-the-version-before";
    await add();
    const [, second] = await all();
    await database().webhook.update({ where: { id: second?.id ?? "" }, data: { secret: plain } });
    expect(await openedHooks()).toEqual([secret, plain]);
    holds(newer, older);
    const { secret: third } = await add();
    expect(await sealWebhooksAgain(keyFile)).toEqual({ again: 2, already: 1, failed: [] });
    holds(newer);
    expect(await openedHooks()).toEqual([secret, plain, third]);
    expect(await sealWebhooksAgain(keyFile)).toEqual({ again: 0, already: 3, failed: [] });
  });

  it("that cannot be opened are named without what may be secret of their address", async () => {
    const { id } = await add();
    holds(newer);
    const { failed } = await sealWebhooksAgain(keyFile);
    expect(failed).toMatchObject([
      {
        name: `webhook ${id} to hooks.example.com of project default`,
        error: { reason: "SEALING_KEY_INVALID", hint: expect.stringContaining("webhook") },
      },
    ]);
  });
});

/** Until somebody waits for a row that another holds. */
const untilOneWaits = () =>
  expect
    .poll(
      async () =>
        await database().$queryRaw`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    .toHaveLength(1);
