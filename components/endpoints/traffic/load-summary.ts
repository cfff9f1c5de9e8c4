import { getJson } from "@/lib/common/api-client";
import { type TrafficSummary, trafficPageSchema } from "@/lib/common/contract";

/** Rows of a list ask within a moment of each other. */
const gatherMs = 10;
/** Names of one call. */
const most = 200;

interface Asker {
  readonly name: string;
  readonly resolve: (summary: TrafficSummary | null) => void;
  readonly reject: (error: unknown) => void;
}

let waiting: Asker[] = [];

/** What an endpoint was asked in the last half hour; null where there is none of that name. All that ask together share a call. */
export function loadSummary(name: string): Promise<TrafficSummary | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(askAll, gatherMs);
    waiting.push({ name, resolve, reject });
  });
}

function askAll(): void {
  const askers = waiting;
  waiting = [];
  for (let from = 0; from < askers.length; from += most) {
    void ask(askers.slice(from, from + most));
  }
}

async function ask(askers: readonly Asker[]): Promise<void> {
  const query = new URLSearchParams(
    [...new Set(askers.map(({ name }) => name))].map((n) => ["name", n]),
  );
  try {
    const { items } = await getJson(`/api/v1/traffic?${query}`, trafficPageSchema);
    const byName = new Map(items.map((item) => [item.name, item]));
    for (const { name, resolve } of askers) resolve(byName.get(name) ?? null);
  } catch (error) {
    for (const { reject } of askers) reject(error);
  }
}
