import { findBoardModel } from "@/boards";
import {
  type AdoptedBoard,
  adoptedBoardSchema,
  type NewAdoption,
  type Release,
  type SeenDevice,
  type Surroundings,
  seenDeviceSchema,
  surroundingsSchema,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, parseId, type Tx, toId, withTransaction } from "@/lib/server/db";
import { keysOf, requireUnused } from "./keys";

interface ServerRow {
  readonly id: string;
  readonly name: string;
  readonly surroundings: unknown;
  readonly adopted: unknown;
}

/** Writes what a server sees on its host's sockets. */
export async function storeSurroundings(
  tx: Tx,
  serverId: string,
  surroundings: Surroundings,
): Promise<void> {
  const text = JSON.stringify(surroundings);
  await tx.$executeRaw`
    UPDATE board_server SET surroundings = ${text}::jsonb
    WHERE id = ${serverId}::uuid AND surroundings IS DISTINCT FROM ${text}::jsonb`;
}

/** The boards that were adopted on a server. */
export async function listAdopted(serverId: string): Promise<readonly AdoptedBoard[]> {
  const row = await database().boardServer.findUnique({
    where: { id: serverId },
    select: { adopted: true },
  });
  return adoptedBoardSchema.array().parse(row?.adopted ?? []);
}

/** Devices on the sockets of all board servers that are heard of, and what was made of them. */
export async function listSightings(): Promise<SeenDevice[]> {
  const rows = await database().$queryRaw<ServerRow[]>`
    SELECT id, name, surroundings, adopted FROM board_server
    WHERE heartbeat_at > now() - interval '15 seconds' ORDER BY name`;
  return rows.flatMap(seenBy);
}

/**
 * Makes a board of a device that its server sees. The server opens it as soon as it hears of it.
 *
 * @throws {AppError} `NOT_FOUND`, `BOARD_UNKNOWN`, `OPTION_INVALID`, `STATE_CONFLICT`
 */
export async function adopt(request: NewAdoption): Promise<SeenDevice> {
  const { serverId, sighting, boardModel } = request;
  return await withTransaction(async (tx) => {
    const server = await lockServer(tx, serverId);
    const seen = getSeen(server, sighting);
    const model = findBoardModel(boardModel);
    if (!model)
      throw fail("BOARD_UNKNOWN", `There is no board model "${boardModel}".`, {
        field: "boardModel",
        hint: "List them with GET /api/v1/board-models.",
      });
    if (!model.programmer)
      throw fail("OPTION_INVALID", `No program that loads ${model.name} is known.`, {
        field: "boardModel",
        hint: "Name the board, with its programmer, in the file that BOARD_SERVER_BOARDS_FILE names.",
      });
    if (seen.adoptedAs)
      throw fail("STATE_CONFLICT", `This device is board ${seen.adoptedAs.key} already.`, {
        hint: "Give that board up first.",
      });
    const serialPort = serialPortOf(seen, request.serialPort);
    const before = adoptedBoardSchema.array().parse(server.adopted);
    const taken = before.find((each) => each.serialPort === serialPort);
    if (taken)
      throw fail("STATE_CONFLICT", `${serialPort} is the line of board ${taken.key}.`, {
        field: "serialPort",
      });
    const key = freeKey(
      model.id,
      new Set([...(await keysOf(tx, server.id)), ...before.map((each) => each.key)]),
    );
    const adopted = [...before, { key, sighting, boardModel, serialPort }];
    await writeAdopted(tx, server.id, adopted);
    return getSeen({ ...server, adopted }, sighting);
  });
}

/**
 * Gives up a board that was adopted, in use nowhere. The device stays in sight.
 *
 * @throws {AppError} `NOT_FOUND`, `STATE_CONFLICT` while the board holds a model.
 */
export async function release({ serverId, sighting }: Release): Promise<void> {
  await withTransaction(async (tx) => {
    const server = await lockServer(tx, serverId);
    const before = adoptedBoardSchema.array().parse(server.adopted);
    const board = before.find((each) => each.sighting === sighting);
    if (!board)
      throw fail("NOT_FOUND", `The device “${sighting}” was not adopted.`, {
        hint: "List what is plugged in with GET /api/v1/sightings.",
      });
    await requireUnused(tx, { serverId: server.id, key: board.key });
    const rest = before.filter((each) => each !== board);
    await writeAdopted(tx, server.id, rest);
  });
}

async function lockServer(tx: Tx, serverId: string): Promise<ServerRow> {
  const id = parseId("bsv", serverId);
  const [row] = id
    ? await tx.$queryRaw<ServerRow[]>`
        SELECT id, name, surroundings, adopted FROM board_server WHERE id = ${id}::uuid FOR UPDATE`
    : [];
  if (!row)
    throw fail("NOT_FOUND", `There is no board server “${serverId}”.`, {
      field: "serverId",
      hint: "GET /api/v1/boards says on which board server each board is.",
    });
  return row;
}

async function writeAdopted(tx: Tx, serverId: string, adopted: readonly AdoptedBoard[]) {
  await tx.$executeRaw`
    UPDATE board_server SET adopted = ${JSON.stringify(adopted)}::jsonb WHERE id = ${serverId}::uuid`;
}

function seenBy({ id, name, surroundings, adopted }: ServerRow): SeenDevice[] {
  const { sightings, serialPorts } = surroundingsSchema.parse(surroundings);
  const boards = adoptedBoardSchema.array().parse(adopted);
  const owned = new Set(sightings.map(({ serialPort }) => serialPort));
  // Lines of adapters first: the others are more likely boards of their own.
  const free = serialPorts
    .filter((port) => !boards.some(({ serialPort }) => serialPort === port))
    .sort((a, b) => Number(owned.has(a)) - Number(owned.has(b)));
  return sightings.map((sighting) => {
    const board = boards.find((each) => each.sighting === sighting.key);
    return seenDeviceSchema.parse({
      ...sighting,
      serverId: toId("bsv", id),
      serverName: name,
      serialPorts: sighting.serialPort === null ? free : [sighting.serialPort],
      adoptedAs: board ? { key: board.key, boardModel: board.boardModel } : null,
    });
  });
}

function getSeen(server: ServerRow, key: string): SeenDevice {
  const seen = seenBy(server).find((each) => each.key === key);
  if (seen) return seen;
  throw fail("NOT_FOUND", "This device is not on the board server's host any more.", {
    field: "sighting",
    hint: "Plug it in again, and look at GET /api/v1/sightings.",
  });
}

/** The line that was asked for, or the device's own. Only lines that the server itself reports are taken. */
function serialPortOf({ serialPort, serialPorts, product }: SeenDevice, asked?: string): string {
  const port = asked ?? serialPort;
  if (port !== null && serialPorts.includes(port)) return port;
  const known = serialPorts.join(", ") || "none";
  throw fail(
    "OPTION_INVALID",
    port === null
      ? `${product} has no serial line of its own.`
      : `${port} is no serial line of this host.`,
    { field: "serialPort", hint: `Name one of the host's lines: ${known}.` },
  );
}

function freeKey(modelId: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++)
    if (!taken.has(`${modelId}-${number}`)) return `${modelId}-${number}`;
}
