import { PrismaPg } from "@prisma/adapter-pg";
import { databaseEnv } from "@/lib/server/env";
import { logger } from "@/lib/server/logger";
import { killableCalls } from "@/lib/server/process";
import { PrismaClient } from "@/prisma/generated/client";
import { toStoreError } from "./errors";
import { storable } from "./storable";

/** How long a caller waits for a connection, new or of the pool, before it hears that the store is unavailable. */
export const connectTimeoutMs = 2000;
/** No query of ours may take longer; what is long is split. */
const statementTimeoutMs = 30_000;
/** Methods of the client that ask the database for nothing. */
const lifetimeMethods = new Set(["$connect", "$disconnect", "$extends", "$on"]);

function makeClient() {
  const { DATABASE_URL, DATABASE_POOL } = databaseEnv();
  const adapter = new PrismaPg(
    {
      connectionString: DATABASE_URL,
      max: DATABASE_POOL,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      keepAlive: true,
      application_name: "boardwalk",
    },
    {
      onPoolError: (err) => logger().warn({ err }, "idle database connection failed"),
      onConnectionError: (err) => logger().warn({ err }, "database connection failed"),
    },
  );
  const client = new PrismaClient({ adapter }).$extends({
    name: "store-errors",
    query: {
      async $allOperations({ args, query }) {
        try {
          return await query(storable(args) as typeof args);
        } catch (error) {
          throw toStoreError(error);
        }
      },
    },
  });
  return killableCalls(client, {
    hasParts: true,
    isCall: (method) => !lifetimeMethods.has(method),
    isTransaction: (method) => method === "$transaction",
  });
}

/** The client of the process, bounded to `DATABASE_POOL` connections. */
export type Database = ReturnType<typeof makeClient>;
/** The client inside a transaction. */
export type Tx = Parameters<Parameters<Database["$transaction"]>[0]>[0];

let client: Database | undefined;

/** The client of the process, made on first use. */
export function database(): Database {
  client ??= makeClient();
  return client;
}

/** Rejects where the database does not answer. */
export async function pingDatabase(): Promise<void> {
  await database().$queryRaw`SELECT 1`;
}

/** Closes every connection; the next call of `database()` opens new ones. */
export async function closeDatabase(): Promise<void> {
  const closing = client;
  client = undefined;
  await closing?.$disconnect();
}
