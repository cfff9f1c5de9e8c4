import { z } from "zod";
import * as fragments from "./fragments";
import { lazyEnv } from "./lazy-env";
import { eachOpens } from "./source-credentials";

const { common, log, database, redis, storage, pace } = fragments;

/** For modules that serve every process. */
export const commonEnv = lazyEnv(z.object(common));
/** For what only logs. */
export const logEnv = lazyEnv(z.object(log));
/** For scripts that need the database and nothing else. */
export const databaseEnv = lazyEnv(z.object(database));
/** For what reads or writes stored bytes. */
export const storageEnv = lazyEnv(z.object({ ...common, ...storage }));
/** For what seals stored secrets again. */
export const sealingEnv = lazyEnv(z.object({ ...common, ...database, ...fragments.sealing }));

/** For backups and their restoration: all that an installation keeps. */
export const backupEnv = lazyEnv(
  z.object({
    ...common,
    ...database,
    ...storage,
    BOARD_SERVER_STATE_DIR: fragments.boardServer.BOARD_SERVER_STATE_DIR,
  }),
);

/** Without accounts only the owner may reach what serves them: this machine, or whoever shows the owner's token. */
const isReachedByOwner = (env: {
  PORTAL_HOST: string;
  BOARDWALK_ACCOUNTS: "on" | "off";
  BOARDWALK_OWNER_TOKEN?: string | undefined;
}) =>
  env.BOARDWALK_ACCOUNTS === "on" ||
  /^(127(\.\d+){3}|localhost|::1)$/.test(env.PORTAL_HOST) ||
  env.BOARDWALK_OWNER_TOKEN !== undefined;
const notLoopback = {
  path: ["PORTAL_HOST"],
  message:
    "other machines could reach this address, and nobody signs in: leave it at 127.0.0.1, set BOARDWALK_ACCOUNTS=on, or set BOARDWALK_OWNER_TOKEN, which callers must then show",
};

/** One per process: it asks only for what that process may hold. */
export const portalEnv = lazyEnv(
  z
    .object({
      ...common,
      ...database,
      ...storage,
      ...fragments.seenRedis,
      ...fragments.portal,
      ...fragments.gatewayAddress,
      ...fragments.owner,
      ...fragments.signInService,
      SOURCE_ALLOWED_HOSTS: fragments.sources.SOURCE_ALLOWED_HOSTS,
      SOURCE_CONNECTIONS: fragments.sources.SOURCE_CONNECTIONS,
      ...fragments.sealing,
      ...fragments.mail,
      ...fragments.boardLeases,
      ...fragments.rates,
      PORTAL_METRICS_PORT: fragments.status.PORTAL_METRICS_PORT,
    })
    .refine(isReachedByOwner, notLoopback)
    .refine((env) => env.OIDC_ISSUER === undefined || env.OIDC_CLIENT_ID !== undefined, {
      path: ["OIDC_CLIENT_ID"],
      message:
        "OIDC_ISSUER is set, and this is not: take it from where the service knows Boardwalk",
    }),
);
/** All that the gateway may hold; it reads no stored bytes. */
export const gatewayEnv = lazyEnv(
  z
    .object({
      ...common,
      ...database,
      ...fragments.portal,
      ...fragments.gatewayAddress,
      ...fragments.gateway,
      ...fragments.owner,
    })
    .refine(isReachedByOwner, notLoopback),
);
/** All that a board server may hold: no database. */
export const boardServerEnv = lazyEnv(
  z.object({
    ...common,
    PORTAL_URL: fragments.portal.PORTAL_URL,
    ...fragments.boardServer,
    BOARD_SERVER_METRICS_PORT: fragments.status.BOARD_SERVER_METRICS_PORT,
  }),
);
/** All that a build worker may hold. */
export const buildWorkerEnv = lazyEnv(
  z
    .object({
      ...common,
      ...database,
      ...redis,
      ...storage,
      ...pace,
      ...fragments.buildWorker,
      ...fragments.sources,
      ...fragments.sourceSecrets,
      ...fragments.sealing,
      WORKER_METRICS_PORT: fragments.status.WORKER_METRICS_PORT,
    })
    .superRefine(eachOpens),
);
/** All that relay and reconciler may hold. */
export const controlEnv = lazyEnv(
  z.object({
    ...common,
    ...database,
    ...fragments.leaseAcceptance,
    ...redis,
    ...storage,
    ...pace,
    SOURCE_ALLOWED_HOSTS: fragments.sources.SOURCE_ALLOWED_HOSTS,
    SOURCE_CA_FILE: fragments.sources.SOURCE_CA_FILE,
    ...fragments.sealing,
    ...fragments.mail,
    PORTAL_URL: fragments.portal.PORTAL_URL,
    CONTROL_METRICS_PORT: fragments.status.CONTROL_METRICS_PORT,
  }),
);
/** What an audit looks into, and the settings whose secrets it looks for. */
export const auditEnv = lazyEnv(
  z.object({
    ...common,
    ...database,
    ...storage,
    ...fragments.seenRedis,
    ...fragments.owner,
    ...fragments.signInService,
    ...fragments.mail,
  }),
);
