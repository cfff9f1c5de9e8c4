import { findBoardModel } from "@/boards";
import { archOf } from "@/lib/common/bond";
import {
  type AttachedBoard,
  type Attachment,
  attachedBoardSchema,
  attachmentSchema,
  idPrefixes,
  type NewAttachment,
  type TrialReport,
  type TrialStep,
  trialStepNames,
  trialStepSchema,
} from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, parseId, sql, type Tx, toId, uuidv7, withTransaction } from "@/lib/server/db";
import { keysOf, requireUnused } from "./keys";

interface AttachedRow {
  readonly id: string;
  readonly serverId: string;
  readonly serverName: string;
  readonly key: string;
  readonly kind: string;
  readonly boardModel: string;
  readonly address: string;
  readonly trial: AttachedBoard["trial"];
  readonly steps: unknown;
  readonly createdAt: Date;
}

/** Boards that one server speaks with. */
const mostPerServer = 64;

const selectAttached = sql`
  SELECT a.id, a.board_server_id AS "serverId", s.name AS "serverName", a.key, a.kind, a.board_model AS "boardModel",
    a.address, a.trial, a.steps, a.created_at AS "createdAt"
  FROM attached_board a JOIN board_server s ON s.id = a.board_server_id`;

/** The boards at addresses that one server is to speak with. */
export async function listAttached(serverId: string): Promise<readonly AttachedBoard[]> {
  const rows = await database().$queryRaw<AttachedRow[]>`
    ${selectAttached} WHERE a.board_server_id = ${serverId}::uuid ORDER BY a.id`;
  return rows.map(({ id, key, kind, boardModel, address, trial }) =>
    attachedBoardSchema.parse({
      id: toId(idPrefixes.attachment, id),
      key,
      kind,
      boardModel,
      address,
      trial,
    }),
  );
}

/** Every board at an address, with its trial. */
export async function listAttachments(): Promise<Attachment[]> {
  const rows = await database().$queryRaw<AttachedRow[]>`
    ${selectAttached} ORDER BY s.name, a.id LIMIT 1000`;
  return rows.map(toAttachment);
}

/** @throws {AppError} `NOT_FOUND` */
export async function getAttachment(id: string): Promise<Attachment> {
  const uuid = parseId(idPrefixes.attachment, id);
  const [row] = uuid
    ? await database().$queryRaw<AttachedRow[]>`${selectAttached} WHERE a.id = ${uuid}::uuid`
    : [];
  if (!row) throw notFound("attachment", id);
  return toAttachment(row);
}

/**
 * Attaches the board at an address to a board server, which tries it as soon as it hears of it.
 *
 * @throws {AppError} `NOT_FOUND`, `BOARD_UNKNOWN`, `BOARD_OFFLINE`, `STATE_CONFLICT` for an address that is a board already.
 */
export async function attach(request: NewAttachment): Promise<Attachment> {
  const { boardModel, address, bitstream, inputs, arch = archOf(boardModel) } = request;
  const model = findBoardModel(boardModel);
  if (!model || model.part.flow.kind === "cpu")
    throw fail("BOARD_UNKNOWN", `There is no FPGA board model "${boardModel}".`, {
      field: "boardModel",
      hint: "List them with GET /api/v1/board-models.",
    });
  const id = uuidv7();
  await withTransaction(async (tx) => {
    const serverId = await lockServer(tx, request.serverId);
    const attached = await tx.attachedBoard.findMany({
      where: { OR: [{ boardServerId: serverId }, { address }] },
    });
    const same = attached.find((each) => each.address === address);
    if (same)
      throw fail("STATE_CONFLICT", `${address} is board ${same.key} already.`, {
        field: "address",
        hint: "Give that board up first.",
      });
    if (attached.length >= mostPerServer)
      throw fail(
        "QUOTA_EXCEEDED",
        `A board server speaks with ${mostPerServer} addresses at most.`,
      );
    const key = await freeKey(tx, serverId, boardModel);
    await tx.attachedBoard.create({
      data: {
        id,
        boardServerId: serverId,
        key,
        kind: "bond-grpc",
        boardModel,
        address,
        trial: { bitstream, inputs, arch },
        steps: trialStepNames.map((name) => ({ name, state: "waiting" })),
      },
    });
  });
  return await getAttachment(toId(idPrefixes.attachment, id));
}

/**
 * Gives up the board at an address.
 *
 * @throws {AppError} `NOT_FOUND`, `STATE_CONFLICT` while it holds a model.
 */
export async function detach(id: string): Promise<void> {
  await withTransaction(async (tx) => {
    const uuid = parseId(idPrefixes.attachment, id);
    const row = uuid && (await tx.attachedBoard.findUnique({ where: { id: uuid } }));
    if (!row) throw notFound("attachment", id);
    await requireUnused(tx, { serverId: row.boardServerId, key: row.key });
    await tx.attachedBoard.delete({ where: { id: row.id } });
  });
}

/** Writes what a server says of the trials of its boards; one that is not its own changes nothing. */
export async function storeTrials(
  tx: Tx,
  serverId: string,
  trials: readonly TrialReport[],
): Promise<void> {
  for (const { id, steps } of trials) {
    const uuid = parseId(idPrefixes.attachment, id);
    if (!uuid) continue;
    const text = JSON.stringify(steps);
    await tx.$executeRaw`
      UPDATE attached_board SET steps = ${text}::jsonb
      WHERE id = ${uuid}::uuid AND board_server_id = ${serverId}::uuid AND steps IS DISTINCT FROM ${text}::jsonb`;
  }
}

/** The server that was named, or the only one that is heard of. */
async function lockServer(tx: Tx, asked: string | undefined): Promise<string> {
  const id = asked === undefined ? null : parseId(idPrefixes.boardServer, asked);
  if (asked !== undefined && id === null) throw noServer(asked);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM board_server
    WHERE heartbeat_at > now() - interval '15 seconds' AND (${id}::uuid IS NULL OR id = ${id}::uuid)
    ORDER BY id LIMIT 2 FOR UPDATE`;
  const [server, other] = rows;
  if (other)
    throw fail("VALIDATION", "There is more than one board server: name one.", {
      field: "serverId",
      hint: "GET /api/v1/boards shows the servers of boards.",
    });
  if (server) return server.id;
  if (asked !== undefined) throw noServer(asked);
  throw fail("BOARD_OFFLINE", "No board server is heard of.", { hint: "Start one, and enrol it." });
}

const noServer = (id: string) =>
  fail("NOT_FOUND", `No board server “${id}” is heard of.`, {
    field: "serverId",
    hint: "GET /api/v1/boards says on which board server each board is.",
  });

/** Names of boards at addresses end as no other board's does. */
async function freeKey(tx: Tx, serverId: string, boardModel: string): Promise<string> {
  const taken = await keysOf(tx, serverId);
  for (let number = 1; ; number++)
    if (!taken.has(`${boardModel}-bond-${number}`)) return `${boardModel}-bond-${number}`;
}

function toAttachment({ id, serverId, trial, steps, createdAt, ...row }: AttachedRow): Attachment {
  const parsed = trialStepSchema.array().parse(steps);
  return attachmentSchema.parse({
    ...row,
    id: toId(idPrefixes.attachment, id),
    serverId: toId(idPrefixes.boardServer, serverId),
    bitstream: trial.bitstream,
    state: stateOf(parsed),
    steps: parsed,
    createdAt: createdAt.toISOString(),
  });
}

function stateOf(steps: readonly TrialStep[]): Attachment["state"] {
  if (steps.some(({ state }) => state === "failed")) return "refused";
  return steps.every(({ state }) => state === "succeeded") ? "attached" : "testing";
}
