export { makeToken, revokeToken } from "./commands";
export { listTokens } from "./queries";
