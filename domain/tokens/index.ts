export { makeToken, revokeToken } from "./commands";
export { listLinks, makeLink, revokeLink } from "./links";
export { listTokens } from "./queries";
