import type { ProjectPlace, SourceConnection } from "@/lib/common/contract";
import type { SourcePolicy } from "./source-policy";

/** Where models may come from, beyond public `https` and the store of the installation. */
export interface ModelSources extends SourcePolicy {
  readonly connections: readonly SourceConnection[];
  /** Connections of the project, which come before those of the installation; left out: none. */
  readonly ofProject?: readonly ProjectPlace[];
}

/** What addresses begin with that connections of the installation open. */
export function sharedPrefixes(
  connections: readonly SourceConnection[],
): { name: string; kind: "s3" | "https"; prefixes: string[] }[] {
  return connections.map((each) => ({
    name: each.name,
    kind: each.kind,
    prefixes:
      each.kind === "s3"
        ? each.buckets.map((bucket) => `s3://${bucket}/`)
        : [`https://${each.host.replace(/:443$/, "")}/`],
  }));
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
