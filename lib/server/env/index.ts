export { lazyEnv, parseEnv } from "./lazy-env";
export {
  boardServerEnv,
  buildWorkerEnv,
  commonEnv,
  controlEnv,
  databaseEnv,
  gatewayEnv,
  logEnv,
  portalEnv,
  redisEnv,
  storageEnv,
} from "./processes";
