export { clientSecret } from "./client-secret";
export { connectionKeyFile } from "./connection-key-file";
export {
  auditEnv,
  backupEnv,
  boardServerEnv,
  buildWorkerEnv,
  commonEnv,
  controlEnv,
  databaseEnv,
  gatewayEnv,
  logEnv,
  portalEnv,
  sealingEnv,
  storageEnv,
} from "./processes";
export { secretsOf } from "./secrets";
export type { SourceCredential } from "./source-credentials";
