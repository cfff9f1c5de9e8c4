import { systemCodeOf } from "@/lib/common/errors";
import type { GrpcServer } from "@/lib/server/grpc";
import { logger } from "@/lib/server/logger";
import { S3Store } from "@/lib/server/storage";
import { startBuildServer } from "./build-server";

/** What the environment of a build worker says of it. */
interface Settings {
  readonly WORKER_BOND_PORT?: number | undefined;
  readonly WORKER_BOND_HOST: string;
  readonly BOND_BUILD_STORE?: string | undefined;
  readonly BOND_BUILD_STORE_KEY?: string | undefined;
  readonly BOND_BUILD_STORE_SECRET?: string | undefined;
  readonly S3_REGION: string;
}

/**
 * Answers the original's contract for build hosts where the environment says so. Of several workers of one host the first
 * has the port.
 *
 * @returns Null where it is off, or another worker answers.
 * @throws {Error} naming the settings that are missing.
 */
export async function serveBond(settings: Settings): Promise<GrpcServer | null> {
  const { WORKER_BOND_PORT: port, WORKER_BOND_HOST: host } = settings;
  if (port === undefined) return null;
  const {
    BOND_BUILD_STORE: storeUrl,
    BOND_BUILD_STORE_KEY: accessKey,
    BOND_BUILD_STORE_SECRET: secretKey,
  } = settings;
  if (!storeUrl || !accessKey || !secretKey)
    throw new Error(
      "WORKER_BOND_PORT needs BOND_BUILD_STORE, BOND_BUILD_STORE_KEY and BOND_BUILD_STORE_SECRET: the firmware is put there.",
    );
  const region = settings.S3_REGION;
  const store = new S3Store({ endpoint: storeUrl, accessKey, secretKey, region });
  try {
    return await startBuildServer({ host, port, storeUrl, store });
  } catch (error) {
    if (systemCodeOf(error) !== "EADDRINUSE") throw error;
    logger().warn(
      { host, port },
      "another process answers the original's contract for build hosts",
    );
    return null;
  }
}
