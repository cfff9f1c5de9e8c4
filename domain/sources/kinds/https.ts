import type { Places } from "@/lib/common/contract";
import { parseSourceUrl } from "../source-policy";
import type { SourceKind } from "./source-kind";

const shownHost = (host: string): string => host.replace(/:443$/, "");

/** A host that asks for a login: `https://host/path`. */
export const https: SourceKind<Places["https"]> = {
  prefixes: ({ host }) => [`https://${shownHost(host)}/`],
  claims: ({ host }) => [`the host ${host}`],
  origins: ({ host }) => [`https://${shownHost(host)}`],
  leadsTo(address, { host }) {
    if (!/^https:/i.test(address) || !URL.canParse(address)) return false;
    const { hostname, port } = new URL(address);
    return `${hostname}:${port || "443"}` === host;
  },
  check: (address, field, policy) => void parseSourceUrl(address, policy, field),
};
