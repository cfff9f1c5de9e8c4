import { isIPv4 } from "node:net";

/** Whether a host is this one, whoever asks. Numbers and `localhost` only: another name may lead anywhere tomorrow. */
export function isLoopback(host: string): boolean {
  const bare = bareHost(host);
  return bare === "localhost" || bare === "::1" || (isIPv4(bare) && bare.startsWith("127."));
}

/** An IPv6 address without the brackets that it has in URLs. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
