import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { audit, type Finding } from "@/domain/audit";
import { checkSchemaVersion } from "@/lib/server/db";
import { auditEnv, secretsOf } from "@/lib/server/env";
import { openProcess } from "@/lib/server/process";
import { objectStore } from "@/lib/server/storage";

// Looks whether everything that was promised holds, prints what was looked at and what is broken, and ends with status 1 where
// something is.

/** What no row tells, and what tests it. */
const untold = {
  R10: "what the live feed shows is what is stored: tests/api/api.test.ts",
  R16: "how soon what was revoked is refused is timed: npm run bench -- revocation, tests/gateway/access.test.ts",
};

const { values } = parseArgs({
  options: {
    running: { type: "boolean", default: false },
    ledger: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

openProcess();
const env = auditEnv();
await checkSchemaVersion(env.DATABASE_URL);
const promised = values.ledger === undefined ? {} : { promised: await readLedger(values.ledger) };
const findings = await audit({
  store: objectStore(),
  logFolder: join(env.BOARDWALK_HOME, "logs"),
  secrets: [...secretsOf(env), ...(await privateKeys(join(env.BOARDWALK_HOME, "keys")))],
  isRunning: values.running,
  ...promised,
});
const sorted = findings.toSorted((a, b) => numberOf(a.invariant) - numberOf(b.invariant));
process.stdout.write(values.json ? `${JSON.stringify(sorted)}\n` : wordsOf(sorted));
process.exit(sorted.some(({ broken }) => broken > 0) ? 1 : 0);

/** Ids of builds that clients were promised, as a list in JSON. */
async function readLedger(file: string): Promise<string[]> {
  return JSON.parse(await readFile(file, "utf8")) as string[];
}

/** The lines of private keys, and of those that seal: each is as long as no other text is by chance. */
async function privateKeys(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(
    names
      .filter((name) => /\.(pem|key)$/.test(name))
      .map((name) => readFile(join(folder, name), "utf8")),
  );
  return texts.flatMap((text) =>
    text.includes("PRIVATE KEY") || !text.includes("-----BEGIN")
      ? text.split("\n").filter((line) => /^[\w+/=]{20,}$/.test(line))
      : [],
  );
}

function numberOf(invariant: string): number {
  return Number(invariant.slice(1));
}

function wordsOf(all: readonly Finding[]): string {
  const lines = all.flatMap(({ invariant, says, checked, broken, faults }) => [
    `${invariant.padEnd(4)} ${broken} broken of ${checked}: ${says}`,
    ...faults.map((fault) => `       ${fault}`),
    ...(broken > faults.length ? [`       and ${broken - faults.length} more`] : []),
  ]);
  const rest = Object.entries(untold).map(([name, says]) => `${name.padEnd(4)} in no row: ${says}`);
  const sum = (count: (finding: Finding) => number) => all.reduce((n, each) => n + count(each), 0);
  const total = `${sum(({ broken }) => broken)} broken of ${sum(({ checked }) => checked)} checked`;
  return `${[...lines, ...rest, total].join("\n")}\n`;
}
