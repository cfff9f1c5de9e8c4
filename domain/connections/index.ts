export {
  addConnection,
  type ConnectionRules,
  changeConnection,
  draftChange,
  draftConnection,
  noteOutcome,
  removeConnection,
} from "./commands";
export {
  connectionsOfProject,
  getConnection,
  getStoredConnection,
  listConnections,
} from "./queries";
export { openSecret, sealConnectionsAgain } from "./secrets";
export type { StoredConnection, TestOutcome } from "./types";
