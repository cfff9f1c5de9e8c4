import { z } from "zod";

/** A file of the data folder: a key, an identity, the settings. Few and small. */
export interface BackupFile {
  /** Below the data folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How far a backup or its restoration is. */
export interface BackupProgress {
  readonly part: "files" | "rows" | "objects";
  /** Rows, objects or files so far. */
  readonly count: number;
  /** Bytes of the backup so far. */
  readonly bytes: number;
}

/** Of this file's layout; what reads it refuses others. */
export const formatVersion = 1;

/** Members of the file, in this order; the pieces of a table's rows join to one stream of COPY in its text form. */
export const memberNames = {
  header: "backup.json",
  file: (name: string) => `files/${name}`,
  rows: (table: string, piece: number) => `rows/${table}/${String(piece).padStart(6, "0")}`,
  object: (bucket: string, key: string) => `objects/${bucket}/${key}`,
  manifest: "manifest.json",
} as const;

const column = z.string().regex(/^[a-z][a-z0-9_]*$/);

/** What has to be known before the rows come. */
export const headerSchema = z.strictObject({
  format: z.literal("boardwalk-backup"),
  formatVersion: z.number(),
  /** By the database's clock, ISO 8601. */
  createdAt: z.string(),
  /** Number of the newest migration that the rows have. */
  schemaVersion: z.number(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.strictObject({ name: column, columns: z.array(column) })),
});
export type BackupHeader = z.infer<typeof headerSchema>;

/** What the file holds, known at its end. */
export const manifestSchema = z.strictObject({
  rows: z.record(z.string(), z.number()),
  objects: z.number(),
  /** Objects that were not as their rows name them when the backup was written. */
  flawed: z.array(
    z.strictObject({
      bucket: z.string(),
      key: z.string(),
      fault: z.enum(["missing", "damaged"]),
    }),
  ),
  /** By the name of the sequence: the last number that it gave. */
  sequences: z.record(column, z.string()),
  /** Every member before this one, in order. */
  members: z.array(
    z.strictObject({
      name: z.string(),
      sizeBytes: z.number(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type BackupManifest = z.infer<typeof manifestSchema>;
export type MemberSum = BackupManifest["members"][number];
