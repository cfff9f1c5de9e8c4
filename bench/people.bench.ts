import { listAuditLog } from "@/domain/audit-log";
import { listInvitations, listMembers, listProjects, listSessions } from "@/domain/people";
import { listQuotas } from "@/domain/quotas";
import { listTokens } from "@/domain/tokens";
import { closeDatabase } from "@/lib/server/db";
import { scope } from "@/tests/support/domain";
import { fillPeople } from "@/tests/support/fill-people";
import { startPostgres } from "@/tests/support/postgres";
import { measurePage, type PageFigure, tellSlowest } from "./lists/measure-page";

/**
 * Pages about people with 10,000 users, 1,000 projects of ten members and one of 200, three tokens of each member, and an audit log of
 * 1,000,000 entries: p95 of each, held to 50 ms; then the plan of the slowest, and of each with `-- --plans`.
 */
const users = Number(process.env["BENCH_USERS"] ?? 10_000);
const projects = Number(process.env["BENCH_PROJECTS"] ?? 1000);
const auditEntries = Number(process.env["BENCH_AUDIT_ENTRIES"] ?? 1_000_000);
const members = 10;
const page = { limit: 50 };
const userId = "01900001-0000-7000-8000-000000000001";

const postgres = await startPostgres();
const databaseUrl = await postgres.newDatabase();
process.env["DATABASE_URL"] = databaseUrl;
const say = (text: string) => process.stdout.write(`${text}\n`);
const all = async (items: Promise<readonly unknown[]>) => ({ items: await items });

try {
  const started = performance.now();
  await fillPeople(databaseUrl, { users, projects, members, auditEntries });
  say(
    `${users} users, ${projects} projects and ${auditEntries} audit entries, filled in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  const behind = (await listAuditLog(null, { limit: 200 })).nextCursor ?? undefined;
  const figures: PageFigure[] = [];
  const cases: readonly (readonly [string, () => Promise<{ items: readonly unknown[] }>])[] = [
    ["projects of one who is in all", () => all(listProjects(userId, scope))],
    [`members of the largest project`, () => all(listMembers(scope, userId))],
    ["invitations of a project", () => all(listInvitations(scope))],
    ["tokens of the largest project", () => all(listTokens(scope))],
    ["sessions of a person", () => all(listSessions(userId, null))],
    ["quotas of a project", () => listQuotas(scope, page)],
    ["quotas of every project", () => listQuotas(null, page)],
    ["quotas of projects found by name", () => listQuotas(null, { ...page, search: "77" })],
    ["audit log, everywhere", () => listAuditLog(null, page)],
    ["audit log, everywhere, behind 200", () => listAuditLog(null, { ...page, cursor: behind })],
    ["audit log of a project", () => listAuditLog(scope, page)],
    ["audit log, refused", () => listAuditLog(null, { ...page, result: ["refused"] })],
    ["audit log, one action", () => listAuditLog(null, { ...page, action: "members" })],
    ["audit log, a target", () => listAuditLog(null, { ...page, target: "name-77" })],
    ["audit log, a target of none", () => listAuditLog(null, { ...page, target: "zebra" })],
    ["audit log, a person", () => listAuditLog(null, { ...page, actor: "p77@lab.example" })],
  ];
  say(`\npages${" ".repeat(41)} p50     p95  rows  (ms)`);
  for (const [what, run] of cases) figures.push(await measurePage(what, run));
  await tellSlowest(figures, databaseUrl);
} finally {
  await closeDatabase();
  await postgres.stop();
}
