import { createReadStream, existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { database } from "@/lib/server/db";
import { type Finding, RuleCount } from "./types";

const shortest = 6;

/** Looks for secrets in texts, in their usual spellings. */
export interface SecretSearch {
  readonly needles: readonly string[];
  /** What is wrong with a text: which secret stands in it, by its place in the list and never by its value; null: none. */
  faultOf(text: string): string | null;
}

/** @param secrets Those below six characters are left alone: they stand in ordinary text. */
export function searchFor(secrets: readonly string[]): SecretSearch {
  const spelled = secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret, index) => spellings(secret).map((needle) => ({ needle, index })));
  return {
    needles: spelled.map(({ needle }) => needle),
    faultOf(text) {
      const found = spelled.find(({ needle }) => text.includes(needle));
      return found ? `secret ${found.index + 1} of ${secrets.length} stands in it` : null;
    },
  };
}

function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      bytes.toString("base64").replace(/=+$/, ""),
      bytes.toString("base64url"),
      bytes.toString("hex"),
    ]),
  ];
}

/** Looks for secrets in every row (R17). */
export async function auditRows(search: SecretSearch): Promise<Finding> {
  const db = database();
  const count = new RuleCount({ invariant: "R17", says: "a row holds no secret of the settings" });
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`;
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<{ checked: number; broken: number }[]>(
      `SELECT count(*)::int AS checked, count(*) FILTER (
         WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) n WHERE strpos(shown, n) > 0))::int AS broken
       FROM (SELECT to_jsonb(t)::text AS shown FROM "${name}" t) row`,
      search.needles,
    );
    const { checked, broken } = rows[0] ?? { checked: 0, broken: 0 };
    count.count(checked, broken, `table ${name}: a secret stands in ${broken} of its rows`);
  }
  return count.finding;
}

/** Looks for secrets in what the processes wrote (R17). */
export async function auditLogFiles(folder: string, search: SecretSearch): Promise<Finding> {
  const count = new RuleCount({ invariant: "R17", says: "what a process wrote holds no secret" });
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names) count.note(name, await faultIn(path.join(folder, name), search));
  return count.finding;
}

/** Pieces of a file overlap by the longest needle, so that none is missed between two. */
async function faultIn(file: string, search: SecretSearch): Promise<string | null> {
  const overlap = Math.max(0, ...search.needles.map(({ length }) => length));
  let before = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const text = before + chunk;
    const fault = search.faultOf(text);
    if (fault !== null) return fault;
    before = text.slice(-overlap);
  }
  return null;
}
