import type { InstallationCounts } from "@/domain/installation";
import { gauge, label } from "@/lib/server/metrics";

/** What the whole installation has, as lines of the Prometheus exposition; `docs/operations.md` says what to do about it. */
export function* installationLines(counts: InstallationCounts): Generator<string> {
  const byState = (states: Readonly<Record<string, number>>) =>
    Object.entries(states).map(([state, count]) => [label({ state }), count] as const);
  yield* gauge("boardwalk_builds", "Builds, by state.", byState(counts.builds));
  yield* gauge("boardwalk_endpoints", "Endpoints, by state.", byState(counts.endpoints));
  yield* gauge("boardwalk_board_slots", "Slots of all boards, by state.", byState(counts.slots));
  for (const [name, help, value] of [
    [
      "queue_oldest_seconds",
      "How long the oldest job has waited for a worker.",
      counts.oldestWaitS,
    ],
    ["outbox_rows", "Jobs that are not on the queue yet.", counts.outbox],
    ["outbox_oldest_seconds", "How long the oldest of them has waited.", counts.oldestOutboxS],
    ["leases", "Builds that a worker holds.", counts.leases],
    ["leases_overdue", "Those of them whose worker fell silent.", counts.overdueLeases],
    ["build_workers", "Build workers that are up.", counts.buildWorkers],
    ["build_slots", "Builds that they run at a time.", counts.buildSlots],
    ["board_servers", "Board servers that are up.", counts.boardServers],
    [
      "board_servers_silent",
      "Board servers that are enrolled and silent.",
      counts.silentBoardServers,
    ],
    ["deliveries", "Webhooks and e-mails that are still to be sent.", counts.deliveries],
    ["artifacts_damaged", "Artifacts whose stored bytes are not right.", counts.damagedArtifacts],
    ["database_bytes", "What the database takes on its disk.", counts.databaseBytes],
  ] as const)
    yield* gauge(`boardwalk_${name}`, help, [["", value ?? 0]]);
}

/** Whether this process is the one that repairs: of all control processes together, one is. */
export function leaderLines(leads: boolean): Iterable<string> {
  return gauge("boardwalk_leader", "Whether this process is the one that repairs.", [
    ["", leads ? 1 : 0],
  ]);
}
