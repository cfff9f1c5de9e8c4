import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import pg from "pg";
import { AppError, fail, isAppError } from "@/lib/common/errors";
import { copyIn, migrate, readMigrations } from "@/lib/server/db";
import type { ObjectStore } from "@/lib/server/storage";
import { readTar, type TarMember } from "@/lib/server/tar";
import {
  type BackupFile,
  type BackupHeader,
  type BackupManifest,
  type BackupProgress,
  formatVersion,
  headerSchema,
  type MemberSum,
  manifestSchema,
  memberNames,
} from "./types";

interface RestoreOptions {
  /** A database without a table. */
  readonly databaseUrl: string;
  /** Folder of the migrations. */
  readonly migrations: string;
  readonly store: ObjectStore;
  readonly keepFile: (file: BackupFile) => Promise<void>;
  readonly onProgress?: (progress: BackupProgress) => void;
}

/** Documents of a backup that are read whole: the manifest has a line for each member. */
const mostDocumentBytes = 512 << 20;
/** A file of the data folder is small. */
const mostFileBytes = 16 << 20;

/**
 * Puts what a backup holds into a database without tables and into a store, and checks every byte against the manifest before
 * the rows are there for anybody: all of them come with one commit, else the database is without tables again. The database
 * is left with the schema that the backup was written with.
 *
 * @throws {AppError} `BACKUP_INVALID` for a file that is damaged, cut off or something else; `BACKUP_TOO_NEW`;
 *   `BACKUP_TARGET_TAKEN` when the database has tables; `STORE_UNAVAILABLE`, `NO_SPACE`.
 */
export async function restoreBackup(
  file: string,
  options: RestoreOptions,
): Promise<{ readonly manifest: BackupManifest; readonly sizeBytes: number }> {
  const client = new pg.Client({ connectionString: options.databaseUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    await requireEmpty(client);
    const archive = createReadStream(file, { highWaterMark: 1 << 20 });
    try {
      const manifest = await new Restoration(client, options).take(readTar(archive));
      return { manifest, sizeBytes: archive.bytesRead };
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public").catch(() => {});
      throw error;
    } finally {
      archive.destroy();
    }
  } catch (error) {
    throw toBackupError(error);
  } finally {
    await client.end();
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LIMIT 1",
  );
  if (rows[0]) {
    throw fail(
      "BACKUP_TARGET_TAKEN",
      `The database has tables already, such as ${rows[0].name}: nothing was changed.`,
      { hint: "Restore into an empty database." },
    );
  }
}

/** The members of one backup, as they come. */
class Restoration {
  private readonly client: pg.Client;
  private readonly options: RestoreOptions;
  private readonly members: MemberSum[] = [];
  private readonly rows: Record<string, number> = {};
  private objects = 0;
  private bytes = 0;

  constructor(client: pg.Client, options: RestoreOptions) {
    this.client = client;
    this.options = options;
  }

  async take(tar: AsyncGenerator<TarMember>): Promise<BackupManifest> {
    const { header, first } = await this.begin(tar);
    let next = first;
    for (; next?.name.startsWith("files/"); next = await this.after(tar)) await this.keepFile(next);
    for (const { name, columns } of header.tables) {
      const text = `COPY "${name}" (${columns.map((column) => `"${column}"`).join(", ")}) FROM STDIN`;
      const folder = `rows/${name}/`;
      const self = this;
      const pieces = async function* () {
        for (; next?.name.startsWith(folder); next = await self.after(tar)) {
          yield* self.hashed(next);
          self.tell("rows", self.rowCount);
        }
      };
      this.rows[name] = await copyIn(this.client, text, pieces());
      this.tell("rows", this.rowCount);
    }
    for (; next?.name.startsWith("objects/"); next = await this.after(tar))
      await this.keepObject(next);
    if (next?.name !== memberNames.manifest)
      throw invalid(`${next?.name ?? "its end"} is out of place`);
    const manifest = manifestSchema.parse(await this.readJson(next));
    // The end of the archive is part of it.
    if ((await tar.next()).done !== true) throw invalid("something follows its manifest");
    this.compare(manifest);
    for (const [name, last] of Object.entries(manifest.sequences))
      await this.client.query("SELECT setval($1::regclass, $2::bigint)", [`"${name}"`, last]);
    await this.client.query("COMMIT");
    return manifest;
  }

  /** Reads what the backup is of, and makes the tables that its rows go into. */
  private async begin(
    tar: AsyncGenerator<TarMember>,
  ): Promise<{ header: BackupHeader; first: TarMember | null }> {
    const member = await this.after(tar);
    if (member?.name !== memberNames.header) throw invalid("it is another kind of archive");
    const json = await this.readJson(member);
    const version = (json as { formatVersion?: unknown } | null)?.formatVersion;
    if (typeof version === "number" && version > formatVersion)
      throw tooNew(
        `its layout has version ${version}, and ${formatVersion} is the newest known here`,
      );
    const header = headerSchema.parse(json);
    await this.checkMigrations(header);
    const { databaseUrl, migrations: folder } = this.options;
    await migrate({ databaseUrl, folder, upTo: header.schemaVersion });
    await this.client.query("BEGIN");
    // Rows are as they were, so that nothing has to be checked, told or computed of them again.
    await this.client.query("SET LOCAL session_replication_role = replica");
    const names = header.tables.map(({ name }) => `"${name}"`).join(", ");
    if (names !== "") await this.client.query(`TRUNCATE ${names}`);
    return { header, first: await this.after(tar) };
  }

  private async checkMigrations({ migrations, schemaVersion }: BackupHeader): Promise<void> {
    const known = await readMigrations(this.options.migrations);
    const sums = new Map(known.map(({ name, checksum }) => [name, checksum]));
    for (const { name, checksum } of migrations) {
      const sum = sums.get(name);
      if (sum === undefined) {
        throw tooNew(
          `its database has version ${schemaVersion} (${migrations.at(-1)?.name}), and ${known.at(-1)?.name} is the newest known here`,
        );
      }
      if (sum !== checksum) {
        throw invalid(`its migration ${name} is another one than the one known here`);
      }
    }
  }

  /** The next member; null at the end. */
  private async after(tar: AsyncGenerator<TarMember>): Promise<TarMember | null> {
    const { done, value } = await tar.next();
    return done ? null : value;
  }

  private async keepFile(member: TarMember): Promise<void> {
    const bytes = await this.readWhole(member, mostFileBytes);
    await this.options.keepFile({ name: member.name.slice("files/".length), bytes });
    this.tell("files", this.members.length - 1);
  }

  private async keepObject(member: TarMember): Promise<void> {
    const [, bucket = "", key = ""] = /^objects\/([^/]+)\/(.+)$/.exec(member.name) ?? [];
    const { store } = this.options;
    await store.ensureBucket(bucket);
    await store.put(bucket, key, Readable.from(this.hashed(member), { objectMode: false }), {
      sizeBytes: member.sizeBytes,
    });
    this.objects++;
    this.tell("objects", this.objects);
  }

  /** The bytes of a member; after the last of them its sum is known. */
  private async *hashed(member: TarMember): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    for await (const piece of member.body) {
      hash.update(piece);
      this.bytes += piece.length;
      yield piece;
    }
    const { name, sizeBytes } = member;
    this.members.push({ name, sizeBytes, sha256: hash.digest("hex") });
  }

  private async readWhole(member: TarMember, most: number): Promise<Buffer> {
    if (member.sizeBytes > most) throw invalid(`${member.name} is too large`);
    const parts: Buffer[] = [];
    for await (const part of this.hashed(member)) parts.push(part);
    return Buffer.concat(parts);
  }

  private async readJson(member: TarMember): Promise<unknown> {
    return JSON.parse((await this.readWhole(member, mostDocumentBytes)).toString("utf8"));
  }

  private compare(manifest: BackupManifest): void {
    // The manifest is the last of them.
    const read = this.members.slice(0, -1);
    for (const [at, { name, sha256, sizeBytes }] of read.entries()) {
      const wanted = manifest.members[at];
      if (wanted?.name !== name || wanted.sha256 !== sha256 || wanted.sizeBytes !== sizeBytes)
        throw invalid(`${name} is not what its manifest says`);
    }
    if (read.length !== manifest.members.length || this.objects !== manifest.objects)
      throw invalid("members of it are missing");
    for (const [table, count] of Object.entries(manifest.rows))
      if (this.rows[table] !== count)
        throw invalid(`${table} has ${this.rows[table]} rows instead of ${count}`);
  }

  private get rowCount(): number {
    return Object.values(this.rows).reduce((sum, count) => sum + count, 0);
  }

  private tell(part: BackupProgress["part"], count: number): void {
    this.options.onProgress?.({ part, count, bytes: this.bytes });
  }
}

const invalid = (how: string, cause?: unknown): AppError =>
  fail("BACKUP_INVALID", `The file is damaged, or is no backup: ${how}.`, {
    hint: "Compare it with the file that was written, copy it again, or restore an older one.",
    cause,
  });

const tooNew = (how: string): AppError =>
  fail("BACKUP_TOO_NEW", `The backup is of a newer Boardwalk: ${how}.`, {
    hint: "Update this checkout to the version that wrote it, and restore again.",
  });

/** Bytes that nothing can be made of are a damaged file, wherever they are noticed first. */
function toBackupError(error: unknown): unknown {
  if (isAppError(error)) {
    return error.reason === "ARCHIVE_INVALID"
      ? invalid(`its archive ends or breaks: ${error.message}`, error)
      : error;
  }
  const name = error instanceof Error ? error.name : "";
  if (["ZodError", "SyntaxError"].includes(name))
    return invalid("a document in it cannot be read", error);
  // Data that a column cannot hold, that breaks a rule, or that is for a table or column that is not there.
  if (error instanceof pg.DatabaseError && /^(22|23|42P01|42703)/.test(error.code ?? ""))
    return invalid(`rows in it cannot be taken (${error.message})`, error);
  if (error instanceof pg.DatabaseError && error.code === "42501") {
    return new AppError("permission_denied", `Postgres refuses: ${error.message}.`, {
      reason: "FORBIDDEN",
      hint: "Restore as a superuser of the database, or GRANT SET ON PARAMETER session_replication_role to its user.",
      cause: error,
    });
  }
  return error;
}
