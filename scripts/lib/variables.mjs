import { ownerVariables } from "./owner.mjs";

/**
 * The variables of all processes: what the person set wins, ports and addresses follow from each other.
 *
 * @param {{ at: (...parts: string[]) => string, secret: (name: string) => string }} home
 * @param {{ variables: object }} stores
 * @param {Record<string, string | undefined>} given
 */
export function processVariables(home, stores, given = process.env) {
  const portal = given.PORTAL_PORT ?? "3000";
  const gateway = given.GATEWAY_HTTP_PORT ?? "8000";
  const socket = home.at("run", "board.sock");
  return {
    PORTAL_PORT: portal,
    PORTAL_URL: given.PORTAL_URL ?? `http://localhost:${portal}`,
    GATEWAY_HTTP_PORT: gateway,
    GATEWAY_GRPC_PORT: given.GATEWAY_GRPC_PORT ?? "8001",
    GATEWAY_METRICS_PORT: given.GATEWAY_METRICS_PORT ?? "8002",
    GATEWAY_URL: given.GATEWAY_URL ?? `http://localhost:${gateway}`,
    TOOLS_DIR: given.TOOLS_DIR ?? home.at("tools"),
    BOARD_SERVER_NAME: given.BOARD_SERVER_NAME ?? "this-machine",
    BOARD_SERVER_STATE_DIR: given.BOARD_SERVER_STATE_DIR ?? home.at("board-server"),
    ...(given.BOARD_SERVER_PORT || Buffer.byteLength(socket) > 100
      ? { BOARD_SERVER_PORT: given.BOARD_SERVER_PORT ?? "8100" }
      : { BOARD_SERVER_SOCKET: given.BOARD_SERVER_SOCKET ?? socket }),
    ...ownerVariables(home, given),
    ...stores.variables,
  };
}
