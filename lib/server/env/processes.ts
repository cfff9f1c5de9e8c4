import { z } from "zod";
import * as fragments from "./fragments";
import { lazyEnv } from "./lazy-env";

const { common, log, database, redis, storage, pace } = fragments;

/** For modules that serve every process. */
export const commonEnv = lazyEnv(z.object(common));
export const logEnv = lazyEnv(z.object(log));
export const databaseEnv = lazyEnv(z.object(database));
export const storageEnv = lazyEnv(z.object({ ...common, ...storage }));

/** One per process: it asks only for what that process may hold. */
export const portalEnv = lazyEnv(
  z.object({
    ...common,
    ...database,
    ...storage,
    ...fragments.portal,
    ...fragments.gatewayAddress,
    SOURCE_ALLOWED_HOSTS: fragments.sources.SOURCE_ALLOWED_HOSTS,
  }),
);
export const gatewayEnv = lazyEnv(
  z.object({
    ...common,
    ...database,
    ...fragments.portal,
    ...fragments.gatewayAddress,
    ...fragments.gateway,
  }),
);
export const boardServerEnv = lazyEnv(
  z.object({ ...common, PORTAL_URL: fragments.portal.PORTAL_URL, ...fragments.boardServer }),
);
export const buildWorkerEnv = lazyEnv(
  z.object({
    ...common,
    ...database,
    ...redis,
    ...storage,
    ...pace,
    ...fragments.buildWorker,
    ...fragments.sources,
  }),
);
export const controlEnv = lazyEnv(
  z.object({ ...common, ...database, ...redis, ...storage, ...pace }),
);
