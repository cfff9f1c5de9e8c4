import type { Endpoint } from "@/lib/common/contract";

const mostNamed = 3;

/** What deleting endpoints breaks, and what stays, in a sentence or two. */
export function deleteImpact(endpoints: readonly Endpoint[]): string {
  const answering = endpoints.filter(({ state }) => state === "ready" || state === "degraded");
  const slots = endpoints.reduce((sum, { replicas }) => sum + replicas.serving, 0);
  const named = answering.slice(0, mostNamed).map(({ name }) => name);
  const more = answering.length - named.length;
  const who = more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
  const breaks =
    answering.length === 0
      ? "None of them answers now."
      : `Clients of ${who} get “not found” from then on, and ${slots === 1 ? "a slot" : `${slots} slots`} on boards ${slots === 1 ? "is" : "are"} freed.`;
  return `${breaks} Builds and artifacts stay. This cannot be undone.`;
}
