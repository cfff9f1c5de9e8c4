import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findStoreCalls, findStoreClients } from "@/tests/support/store-calls";

describe("the calls of stores", () => {
  const { calls, strays } = findStoreCalls();

  it("are found in the sources, each under a name of its own", () => {
    expect(calls.length).toBeGreaterThan(250);
    const names = calls.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names).toContain("domain/builds/attempts:renewLease");
  });

  it("go through nothing that the search does not know", () => {
    expect(strays).toEqual([]);
  });

  it("are made by clients that are made in one place each", () => {
    // Whoever makes another one gives its calls kill points by `killableCalls`, or says here why they need none: programs
    // that people run again (backups, migrations), what only listens or looks, and stores of others.
    expect(findStoreClients()).toEqual({
      "killable calls": [
        "board-server/server.ts: Portal",
        "lib/server/db/client.ts: PrismaClient",
        "lib/server/db/leadership.ts: pg.Client",
        "lib/server/queue/producer.ts: Redis",
        "lib/server/storage/store.ts: FileStore",
        "lib/server/storage/store.ts: S3Store",
      ],
      "no kill points": [
        "domain/backups/restore-backup.ts: pg.Client",
        "domain/backups/snapshot.ts: pg.Client",
        "lib/server/db/listen.ts: pg.Client",
        "lib/server/db/migrate.ts: pg.Client",
        "lib/server/db/migrate.ts: pg.Client",
        "lib/server/queue/ping-redis.ts: Redis",
        "workers/builds/bond-server/serve-bond.ts: S3Store",
        "workers/fetch/open-store.ts: S3Store",
      ],
    });
  });
});

describe("killableCalls", () => {
  const folder = mkdtempSync(join(tmpdir(), "store-calls-"));
  const done = join(folder, "done");
  const file = join(folder, "try.mts");
  const source = [
    'import { appendFileSync } from "node:fs";',
    'import { killableCalls } from "@/lib/server/process";',
    `const store = { put: async () => appendFileSync(${JSON.stringify(done)}, "put ") };`,
    'const made = killableCalls(store, { isCall: (method) => method === "put" });',
    "await made.put();",
    'console.log("went on", made === store);',
  ];
  writeFileSync(file, source.join("\n"));
  const run = (faults: string) =>
    spawnSync(process.execPath, ["--enable-source-maps", "--import", "tsx", file], {
      cwd: resolve("."),
      env: {
        NODE_ENV: "test",
        PATH: "/usr/bin:/bin",
        TSX_TSCONFIG_PATH: resolve("tsconfig.json"),
        BOARDWALK_FAULTS: faults,
      },
      encoding: "utf8",
    });
  const doneSoFar = () => (existsSync(done) ? readFileSync(done, "utf8") : "");

  it("leaves the store as it is where no test asks for points", () => {
    expect(run("").stdout).toBe("went on true\n");
    expect(run(folder).stdout).toBe("went on true\n");
    expect(doneSoFar()).toBe("put put ");
  });

  it("kills before and after a call that is armed by its name, once", () => {
    const places = { [relative(resolve("."), file)]: [[5, 5, "try"]] };
    writeFileSync(join(folder, "calls.json"), JSON.stringify(places));
    const before = doneSoFar();
    for (const point of ["try.before", "try.after"]) writeFileSync(join(folder, point), "");
    expect(run(folder).signal).toBe("SIGKILL");
    expect(doneSoFar()).toBe(before);
    expect(run(folder).signal).toBe("SIGKILL");
    expect(doneSoFar()).toBe(`${before}put `);
    expect(run(folder).stdout).toBe("went on false\n");
    expect(existsSync(join(folder, "unknown"))).toBe(false);
  });

  it("notes a call that nobody knows", () => {
    writeFileSync(join(folder, "calls.json"), "{}");
    expect(run(folder).stdout).toBe("went on false\n");
    expect(readFileSync(join(folder, "unknown"), "utf8")).toMatch(/try\.mts:5/);
  });
});
