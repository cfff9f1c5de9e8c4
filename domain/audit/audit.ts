import { database } from "@/lib/server/db";
import type { ObjectStore } from "@/lib/server/storage";
import { auditLogs } from "./logs";
import { auditObjects } from "./objects";
import { promisedBuilds, type Rule, rules } from "./rules";
import { auditLogFiles, auditRows, searchFor } from "./secrets";
import { type Finding, toldFaults } from "./types";

/** What an audit looks at besides the rows. */
export interface AuditOptions {
  readonly store: ObjectStore;
  /** Folder of what the processes wrote. */
  readonly logFolder: string;
  /** What the processes know and nobody may read: passwords, keys, tokens. */
  readonly secrets: readonly string[];
  /** Whether the processes run: then what is to be done in time is asked for too. */
  readonly isRunning: boolean;
  /** Builds that were acknowledged to clients, which must have ended by now. */
  readonly promised?: readonly string[];
}

/**
 * Looks whether everything holds that rows, objects and logs can tell of R1 to R17. It changes nothing.
 *
 * @throws {AppError} `STORE_UNAVAILABLE` when the database or the object store is away.
 */
export async function audit(options: AuditOptions): Promise<Finding[]> {
  const { store, isRunning, promised, secrets, logFolder } = options;
  const asked = rules.filter((rule) => isRunning || !rule.whileRunning);
  const findings: Finding[] = [];
  for (const rule of promised ? [promisedBuilds(promised), ...asked] : asked)
    findings.push(await follow(rule));
  const search = searchFor(secrets);
  findings.push(...(await auditObjects(store)), ...(await auditLogs(store, search)));
  findings.push(await auditRows(search), await auditLogFiles(logFolder, search));
  return findings;
}

async function follow({ invariant, says, rows }: Rule): Promise<Finding> {
  const [found] = await database().$queryRaw<Omit<Finding, "invariant" | "says">[]>`
    SELECT count(*)::int AS checked, count(fault)::int AS broken, coalesce(
      (array_agg(subject || ': ' || fault) FILTER (WHERE fault IS NOT NULL))[1:${toldFaults}::int], '{}') AS faults
    FROM (${rows}) looked`;
  return { invariant, says, ...(found ?? { checked: 0, broken: 0, faults: [] }) };
}
