import { join } from "node:path";

/** Where the keys lie that seal the secrets of connections and webhooks. */
export const connectionKeyFile = ({
  BOARDWALK_HOME,
  CONNECTION_KEY_FILE,
}: {
  readonly BOARDWALK_HOME: string;
  readonly CONNECTION_KEY_FILE?: string | undefined;
}): string => CONNECTION_KEY_FILE ?? join(BOARDWALK_HOME, "keys/connections.key");
