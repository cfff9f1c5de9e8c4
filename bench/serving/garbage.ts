/**
 * Looks at a gateway's collections of garbage from now on; what `since` answers says how many there were, and how long they took
 * together and at most.
 *
 * @param metricsPort Absent: a server that does not tell; the text is empty.
 */
export async function pausesOf(metricsPort: number | undefined) {
  if (metricsPort === undefined) return { since: async () => "" };
  const before = await read(metricsPort);
  return {
    async since(): Promise<string> {
      const after = await read(metricsPort);
      const count = after.count - before.count;
      const totalMs = (after.totalS - before.totalS) * 1000;
      return `gc ${count} in ${totalMs.toFixed(0)} ms, longest ${(after.longestS * 1000).toFixed(1)} ms`;
    },
  };
}

/** The longest is the one since the last look. */
async function read(port: number) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string) =>
    Number(new RegExp(`^boardwalk_${name} (\\S+)$`, "m").exec(text)?.[1] ?? 0);
  return {
    count: value("garbage_collections_total"),
    totalS: value("garbage_collection_seconds_total"),
    longestS: value("garbage_collection_longest_seconds"),
  };
}
