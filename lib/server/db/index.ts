export { Bell } from "./bell";
export { closeDatabase, database, pingDatabase, type Tx } from "./client";
export { copyIn, copyOut } from "./copy-rows";
export { foreignCursor, type Page, type PageQuery, parsePage, toPage } from "./cursor";
export { isPassing, sqlStateOf, toStoreError } from "./errors";
export {
  createdSince,
  distinctValues,
  hasTrigram,
  isAnyOf,
  likePattern,
  prefixPattern,
} from "./filters";
export { parseId, toId, uuidv7 } from "./ids";
export { toJson } from "./json";
export {
  behind,
  type KeysetRow,
  keyText,
  type Order,
  orderBy,
  orderOf,
  type PagePlace,
  readInSteps,
  readKeysetPage,
  readKeysetRows,
} from "./keyset";
export { type Leadership, tryLead } from "./leadership";
export { listen } from "./listen";
export {
  appliedMigrations,
  checkSchemaVersion,
  type Migration,
  migrate,
  readMigrations,
  versionOf,
} from "./migrate";
export type { ArtifactRow, ModelRow } from "./rows";
export { schemaVersions } from "./schema-version";
export { emptySql, type Sql, sql } from "./sql";
export { withTransaction } from "./transaction";
