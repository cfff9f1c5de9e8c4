import { idPrefixes, type NewBuildNotice, type Scope } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, parseId, type Tx, toId, withTransaction } from "@/lib/server/db";

/** Ids of the receivers that are told of the end of one build. @throws {AppError} `BUILD_UNKNOWN` */
export async function listBuildNotices(scope: Scope, id: string): Promise<string[]> {
  const buildId = parseId(idPrefixes.build, id);
  const build = buildId
    ? await database().build.count({ where: { id: buildId, projectId: scope } })
    : 0;
  if (!buildId || build === 0) throw notFound("build", id);
  const rows = await database().$queryRaw<{ id: string; channel: "webhook" | "mail" }[]>`
    SELECT w.id, 'webhook' AS channel FROM webhook w JOIN build_notice n ON n.target_id = w.id
    WHERE n.build_id = ${buildId}::uuid AND w.project_id = ${scope}::uuid
    UNION ALL
    SELECT r.id, 'mail' FROM mail_recipient r JOIN build_notice n ON n.target_id = r.id
    WHERE n.build_id = ${buildId}::uuid AND r.project_id = ${scope}::uuid`;
  return rows.map((row) =>
    toId(row.channel === "mail" ? idPrefixes.mailRecipient : idPrefixes.webhook, row.id),
  );
}

/**
 * Has a receiver told of the end of one build, or no more, whatever kinds of events it is told of.
 *
 * @throws {AppError} `BUILD_UNKNOWN`; `NOT_FOUND` for the receiver; `STATE_CONFLICT` when the build has ended.
 */
export async function setBuildNotice(
  scope: Scope,
  id: string,
  { receiver, told }: NewBuildNotice,
): Promise<void> {
  const buildId = parseId(idPrefixes.build, id);
  if (!buildId) throw notFound("build", id);
  await withTransaction(async (tx) => {
    // The row is locked, so that a build does not end between the question and the answer.
    const [build] = await tx.$queryRaw<{ ended: boolean }[]>`
      SELECT ended_at IS NOT NULL AS ended FROM build
      WHERE id = ${buildId}::uuid AND project_id = ${scope}::uuid FOR UPDATE`;
    if (!build) throw notFound("build", id);
    if (build.ended) throw fail("STATE_CONFLICT", "This build has ended already.");
    const targetId = await requireReceiver(tx, scope, receiver);
    const row = { buildId, targetId };
    if (told) await tx.buildNotice.createMany({ data: row, skipDuplicates: true });
    else await tx.buildNotice.deleteMany({ where: row });
  });
}

async function requireReceiver(tx: Tx, scope: Scope, receiver: string): Promise<string> {
  const webhook = parseId(idPrefixes.webhook, receiver);
  const recipient = parseId(idPrefixes.mailRecipient, receiver);
  const found =
    (webhook && (await tx.webhook.findFirst({ where: { id: webhook, projectId: scope } }))) ||
    (recipient &&
      (await tx.mailRecipient.findFirst({ where: { id: recipient, projectId: scope } })));
  if (!found) throw notFound(recipient ? "mailRecipient" : "webhook", receiver);
  return found.id;
}
