import type { SourceConnection } from "@/lib/common/contract";
import type { SourcePolicy } from "./source-policy";

/** Where models may come from, beyond public `https` and the store of the installation. */
export interface ModelSources extends SourcePolicy {
  readonly connections: readonly SourceConnection[];
}

/** What an administrator set: hosts of connections need not be listed a second time. */
export function sourcesOf(settings: {
  readonly SOURCE_ALLOWED_HOSTS: readonly string[];
  readonly SOURCE_CONNECTIONS: readonly SourceConnection[];
}): ModelSources {
  const connections = settings.SOURCE_CONNECTIONS;
  const hosts = connections.flatMap((each) => (each.kind === "https" ? [each.host] : []));
  return { allowedHosts: [...settings.SOURCE_ALLOWED_HOSTS, ...hosts], connections };
}
