import { idPrefixes, type Project, type Scope } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, parseId, toId, uuidv7, withTransaction } from "@/lib/server/db";

/** Projects that somebody is in, by name. @param current The one that their pages show. */
export async function listProjects(userId: string, current: Scope): Promise<Project[]> {
  const rows = await database().$queryRaw<Omit<Project, "isCurrent">[]>`
    SELECT p.id, p.name, m.role FROM membership m JOIN project p ON p.id = m.project_id
    WHERE m.user_id = ${userId}::uuid ORDER BY p.name`;
  return rows.map(({ id, ...row }) => ({
    ...row,
    id: toId(idPrefixes.project, id),
    isCurrent: id === current,
  }));
}

/** Makes a project, of which whoever makes it is the admin. @throws {AppError} `PROJECT_TAKEN` */
export async function makeProject(userId: string, name: string): Promise<Project> {
  const id = uuidv7();
  await withTransaction(async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO project (id, name) VALUES (${id}::uuid, ${name}) ON CONFLICT (name) DO NOTHING`;
    if (!made)
      throw fail("PROJECT_TAKEN", `There is a project “${name}” already.`, {
        field: "name",
        hint: "Take another name.",
      });
    await tx.$executeRaw`
      INSERT INTO membership (project_id, user_id, role) VALUES (${id}::uuid, ${userId}::uuid, 'admin')`;
  });
  return { id: toId(idPrefixes.project, id), name, role: "admin", isCurrent: false };
}

/** Has somebody's pages show another project of theirs. @throws {AppError} `NOT_FOUND` */
export async function chooseProject(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  id: string,
): Promise<void> {
  const uuid = parseId(idPrefixes.project, id);
  const chosen =
    uuid !== null &&
    (await database().$executeRaw`
      UPDATE session SET project_id = ${uuid}::uuid
      WHERE id = ${sessionId}::uuid AND EXISTS (
        SELECT FROM membership WHERE user_id = ${userId}::uuid AND project_id = ${uuid}::uuid)`);
  if (!chosen) throw notFound("project", id);
}
