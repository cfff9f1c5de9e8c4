export {
  backupEnv,
  boardServerEnv,
  buildWorkerEnv,
  commonEnv,
  controlEnv,
  databaseEnv,
  gatewayEnv,
  logEnv,
  portalEnv,
  storageEnv,
} from "./processes";
export type { SourceCredential } from "./source-credentials";
