import { listGatewayKeys } from "@/domain/routes";
import type { AdoptedBoard, AttachedBoard, Command, PollRequest } from "@/lib/common/contract";
import { Bell } from "@/lib/server/db";
import { listAttached } from "./attachments";
import { listCommands, listSigningKeys } from "./queries";
import { storeReport } from "./reports";
import { listAdopted } from "./sightings";

/** What a poll is answered with, before it is signed. */
export interface PollAnswer {
  readonly commands: readonly Command[];
  readonly adopted: readonly AdoptedBoard[];
  readonly attached: readonly AttachedBoard[];
  /** Null for a server that says none itself: only those of its own host reach it. */
  readonly gateways: readonly string[] | null;
  readonly signingKeys: Awaited<ReturnType<typeof listSigningKeys>>;
}

/** A bell may ring for another server, or get lost: it is looked again at least this often. */
const lookAgainMs = 5000;

/**
 * Takes a server's report and answers its new commands and the boards that were adopted there, as soon as any are new, or
 * after the time it is ready to wait.
 *
 * @param signal The server has hung up.
 * @param version What the server calls itself; null: it is of before it took tasks.
 * @throws {AppError} `FORBIDDEN`, `STORE_UNAVAILABLE`
 */
export async function poll(
  serverId: string,
  report: PollRequest,
  signal: AbortSignal,
  version: string | null = null,
): Promise<PollAnswer> {
  await storeReport(serverId, report, version);
  const begun = new Set([
    ...report.slots.flatMap(({ commandId }) => commandId ?? []),
    ...(report.tasks ?? []).map(({ id }) => id),
    ...(report.calls ?? []).map(({ id }) => id),
  ]);
  const takes = { tasks: version !== null, calls: report.calls !== undefined };
  const end = performance.now() + report.waitS * 1000;
  const bell = new Bell(["command"], { hears: (payload) => payload === serverId });
  try {
    for (;;) {
      const commands = await listCommands(serverId, begun, takes);
      const adopted = await listAdopted(serverId);
      const attached = await listAttached(serverId);
      const gateways = report.gateways ? await listGatewayKeys() : null;
      const hasNews =
        commands.length > 0 ||
        (gateways !== null && !isKnown(gateways, report.gateways ?? [])) ||
        !isKnown(namesOf(adopted), report.adopted) ||
        !isKnown(idsOf(attached), idsOf(report.attached ?? []));
      const leftMs = end - performance.now();
      if (hasNews || leftMs <= 0 || signal.aborted) {
        return { commands, adopted, attached, gateways, signingKeys: await listSigningKeys() };
      }
      await bell.wait(Math.min(leftMs, lookAgainMs), signal);
    }
  } finally {
    await bell.close();
  }
}

const namesOf = (boards: readonly AdoptedBoard[]) => boards.map(({ key }) => key);
const idsOf = (boards: readonly { readonly id: string }[]) => boards.map(({ id }) => id);

const isKnown = (now: readonly string[], known: readonly string[]): boolean =>
  now.length === known.length && now.every((each) => known.includes(each));
