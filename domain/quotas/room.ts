import { buildMinutesDays, type Scope } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { database, type Sql, sql, type Tx } from "@/lib/server/db";
import { readLimits } from "./limits";
import { used } from "./used";

const { countedBuilds, heldBoards, leasedBoards, queuedBuilds, storedBytes } = used;

const more = "Or ask whoever runs this Boardwalk for more.";

/**
 * Refuses a build that a project has no room for: too many wait, its minutes are used up, or its storage is full. Those who ask at
 * once are counted one after the other.
 *
 * @throws {AppError} `QUOTA_EXCEEDED`
 */
export async function requireBuildRoom(tx: Tx, projectId: string): Promise<void> {
  await lockProject(tx, projectId);
  const limits = await readLimits(tx, projectId);
  const project = sql`${projectId}::uuid`;
  if (limits.queuedBuilds !== null) {
    const [{ waiting } = { waiting: 0 }] = await tx.$queryRaw<{ waiting: number }[]>`
      SELECT ${queuedBuilds(project)} AS waiting`;
    if (waiting >= limits.queuedBuilds)
      throw fail(
        "QUOTA_EXCEEDED",
        `${waiting} builds of this project wait already: it may have ${limits.queuedBuilds}.`,
        {
          hint: `Wait until some have begun, or cancel some. ${more}`,
        },
      );
  }
  if (limits.buildMinutes !== null) await requireMinutes(tx, projectId, limits.buildMinutes);
  if (limits.storageBytes !== null) await requireBytes(tx, projectId, limits.storageBytes, 1);
}

/** Refuses what a project has no room to store. @throws {AppError} `QUOTA_EXCEEDED` */
export async function requireStorageRoom(
  tx: Tx | null,
  projectId: Scope,
  sizeBytes: number,
): Promise<void> {
  if (tx) await lockProject(tx, projectId);
  const db = tx ?? database();
  const { storageBytes } = await readLimits(db, projectId);
  if (storageBytes !== null) await requireBytes(db, projectId, storageBytes, sizeBytes);
}

/**
 * Refuses an endpoint, or a revision of one, with which a project asks for more boards than it may.
 *
 * @throws {AppError} `QUOTA_EXCEEDED`
 */
export async function requireBoardRoom(
  tx: Tx,
  projectId: string,
  { endpointId, wanted }: { readonly endpointId: string; readonly wanted: number },
): Promise<void> {
  // What the endpoint asks for so far, it gives back.
  const refusal = await whyNoBoards(tx, projectId, wanted, sql`e.id <> ${endpointId}::uuid`);
  if (refusal) throw refusal;
}

/** Refuses a lease with which a project has more boards than it may. @throws {AppError} `QUOTA_EXCEEDED` */
export async function requireLeaseRoom(tx: Tx, projectId: string): Promise<void> {
  const refusal = await whyNoBoards(tx, projectId, 1);
  if (refusal) throw refusal;
}

/** Whether a project may have one more board. Whoever asks for something of the project's waits until this is over. */
export async function hasLeaseRoom(tx: Tx, projectId: string): Promise<boolean> {
  return (await whyNoBoards(tx, projectId, 1)) === null;
}

/** Why a project may not have so many more boards; endpoints and leases are counted together. */
async function whyNoBoards(
  tx: Tx,
  projectId: string,
  wanted: number,
  which?: Sql,
): Promise<AppError | null> {
  const { boards } = await readLimits(tx, projectId);
  if (boards === null) return null;
  await lockProject(tx, projectId);
  const project = sql`${projectId}::uuid`;
  const [{ held, leased } = { held: 0, leased: 0 }] = await tx.$queryRaw<
    { held: number; leased: number }[]
  >`SELECT ${heldBoards(project, which)} AS held, ${leasedBoards(project)} AS leased`;
  if (held + leased + wanted <= boards) return null;
  return fail(
    "QUOTA_EXCEEDED",
    `Endpoints of this project hold ${held} boards and leases ${leased}, of ${boards} together: there is no room for ${wanted} more.`,
    { hint: `Delete an endpoint, take fewer replicas, or hand a leased board back. ${more}` },
  );
}

/** Whoever asks for something of a project's goes one after the other; rows that name the project go on being written. */
async function lockProject(tx: Tx, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM project WHERE id = ${projectId}::uuid FOR NO KEY UPDATE`;
}

async function requireMinutes(tx: Tx, projectId: string, most: number): Promise<void> {
  // From the newest back: with the build that fills the limit, there is room again once it is old enough.
  const [full] = await tx.$queryRaw<{ used: number; frees: Date }[]>`
    SELECT (sum(minutes) OVER ())::float8 AS used,
      started_at + make_interval(days => ${buildMinutesDays}) AS frees
    FROM (SELECT started_at, minutes, sum(minutes) OVER (ORDER BY started_at DESC, id) AS through
      FROM (${countedBuilds(sql`${projectId}::uuid`)}) counted) summed
    ORDER BY through < ${most}, started_at DESC LIMIT 1`;
  if ((full?.used ?? 0) < most) return;
  const frees = full?.frees.toISOString().slice(0, 16).replace("T", " ");
  throw fail(
    "QUOTA_EXCEEDED",
    `Builds of this project ran for ${Math.floor(full?.used ?? 0)} minutes of ${most} within ${buildMinutesDays} days.`,
    { hint: `There is room again from ${frees} UTC. ${more}` },
  );
}

async function requireBytes(
  db: Pick<Tx, "$queryRaw">,
  projectId: string,
  most: number,
  wanted: number,
): Promise<void> {
  const [{ used } = { used: 0n }] = await db.$queryRaw<{ used: bigint }[]>`
    SELECT ${storedBytes(sql`${projectId}::uuid`)} AS used`;
  if (Number(used) + wanted > most) throw noStorage(Number(used), most);
}

const noStorage = (used: number, most: number): AppError =>
  fail(
    "QUOTA_EXCEEDED",
    `This project stores ${mib(used)} MiB of ${mib(most)} MiB: there is no room for this.`,
    {
      hint: `Delete models or firmware that nothing needs. ${more}`,
    },
  );

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 2 : 0);
