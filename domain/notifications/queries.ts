import {
  type Delivery,
  deliverySchema,
  idPrefixes,
  mailRecipientSchema,
  type Notifications,
  type Scope,
  webhookSchema,
} from "@/lib/common/contract";
import { database, type Page, type PageQuery, parsePage, toId, toPage } from "@/lib/server/db";

/** Who is told of what. @param mailFrom The sender of e-mail; null where no server for it is set up. */
export async function listNotifications(
  scope: Scope,
  mailFrom: string | null,
): Promise<Notifications> {
  const where = { projectId: scope };
  const [webhooks, recipients] = await Promise.all([
    database().webhook.findMany({ where, orderBy: { id: "asc" }, omit: { secret: true } }),
    database().mailRecipient.findMany({ where, orderBy: { address: "asc" } }),
  ]);
  return {
    mailFrom,
    webhooks: webhooks.map(({ id, createdAt, ...row }) =>
      webhookSchema.parse({
        ...row,
        id: toId(idPrefixes.webhook, id),
        createdAt: createdAt.toISOString(),
      }),
    ),
    recipients: recipients.map(({ id, createdAt, ...row }) =>
      mailRecipientSchema.parse({
        ...row,
        id: toId(idPrefixes.mailRecipient, id),
        createdAt: createdAt.toISOString(),
      }),
    ),
  };
}

type Row = Omit<Delivery, "createdAt" | "triedAt" | "nextAt" | "endedAt"> & {
  readonly createdAt: Date;
  readonly triedAt: Date | null;
  readonly nextAt: Date;
  readonly endedAt: Date | null;
};

/** What was sent to whom, the newest first. @throws {AppError} `CURSOR_INVALID` */
export async function listDeliveries(scope: Scope, query: PageQuery): Promise<Page<Delivery>> {
  const { after, take } = parsePage(query);
  const rows = await database().$queryRaw<Row[]>`
    SELECT id, channel, address, event, payload #>> '{data,build,id}' AS "buildId", state, tries, status, problem,
      created_at AS "createdAt", tried_at AS "triedAt", next_at AS "nextAt", ended_at AS "endedAt"
    FROM delivery WHERE project_id = ${scope}::uuid AND (${after}::uuid IS NULL OR id < ${after}::uuid)
    ORDER BY id DESC LIMIT ${take}`;
  return toPage(rows, take, { keyOf: ({ id }) => id, show: toDelivery });
}

function toDelivery({ id, createdAt, triedAt, nextAt, endedAt, ...row }: Row): Delivery {
  return deliverySchema.parse({
    ...row,
    id: toId(idPrefixes.delivery, id),
    createdAt: createdAt.toISOString(),
    triedAt: triedAt?.toISOString() ?? null,
    nextAt: endedAt ? null : nextAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  });
}
