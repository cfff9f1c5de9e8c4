import type { ConnectionRules } from "@/domain/connections";
import { connectionKeyFile, portalEnv } from "@/lib/server/env";

/** What connections of projects are judged and sealed by. Hosts of the installation's own connections are not theirs. */
export const connectionRules = (): ConnectionRules => ({
  policy: { allowedHosts: portalEnv().SOURCE_ALLOWED_HOSTS },
  keyFile: connectionKeyFile(portalEnv()),
});
