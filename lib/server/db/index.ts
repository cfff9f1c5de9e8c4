export { closeDatabase, type Database, database, type Tx } from "./client";
export { isStoreAway, isUniqueViolation, toStoreError } from "./errors";
export { parseId, toId, uuidv7 } from "./ids";
export { type Leadership, tryLead } from "./leadership";
export { type Channel, listen } from "./listen";
export { checkSchemaVersion, type MigrateResult, migrate } from "./migrate";
export { schemaVersions } from "./schema-version";
export { withTransaction } from "./transaction";
