export { settleIntents } from "./commands";
export { exportAuditLog, listAuditLog } from "./queries";
