import { Redis } from "ioredis";

const limitMs = 3000;

/** The version of a Redis that answers `PING`. @throws {Error} of the connection, where it does not. */
export async function pingRedis(url: string): Promise<string> {
  const connection = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: limitMs,
    connectTimeout: limitMs,
    retryStrategy: () => null,
  });
  connection.on("error", () => {});
  try {
    await connection.connect();
    await connection.ping();
    const [, version = "of an unknown version"] =
      (await connection.info("server")).match(/^redis_version:(\S+)/m) ?? [];
    return version;
  } finally {
    connection.disconnect();
  }
}
