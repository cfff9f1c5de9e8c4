import { FaultProxy } from "./fault-proxy";

const reachedBy = {
  postgres: "DATABASE_URL",
  redis: "REDIS_URL",
  storage: "S3_ENDPOINT",
} as const;

/** A store that processes reach over TCP. */
export type LinkedStore = keyof typeof reachedBy;

/** Proxies between processes and stores. */
export interface StoreLinks {
  /** The variables by which processes reach the stores through the proxies. */
  readonly variables: Readonly<Record<string, string>>;
  readonly names: readonly LinkedStore[];
  /** @throws {TypeError} Where processes reach that store without a proxy. */
  of(store: LinkedStore): FaultProxy;
  close(): Promise<void>;
}

/** Puts a proxy in front of each store that an address names; a store that is a folder has none. */
export async function linkStores(
  addresses: Readonly<Record<string, string | undefined>>,
): Promise<StoreLinks> {
  const proxies = new Map<LinkedStore, FaultProxy>();
  const variables: Record<string, string> = {};
  for (const [store, variable] of Object.entries(reachedBy) as [LinkedStore, string][]) {
    const address = addresses[variable];
    if (address === undefined) continue;
    const url = new URL(address);
    const proxy = await FaultProxy.start(Number(url.port));
    url.port = String(proxy.port);
    proxies.set(store, proxy);
    variables[variable] = url.href.replace(/\/$/, "");
  }
  return {
    variables,
    names: [...proxies.keys()],
    of(store) {
      const proxy = proxies.get(store);
      if (!proxy) throw new TypeError(`there is no proxy in front of ${store}`);
      return proxy;
    },
    close: async () => {
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    },
  };
}
