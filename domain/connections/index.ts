export {
  addConnection,
  type ConnectionRules,
  changeConnection,
  draftChange,
  draftConnection,
  noteOutcome,
  openSecret,
  removeConnection,
} from "./commands";
export {
  connectionsOfProject,
  getConnection,
  getStoredConnection,
  listConnections,
} from "./queries";
export type { StoredConnection, TestOutcome } from "./types";
