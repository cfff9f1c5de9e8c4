import type { AdoptedBoard, Command, PollRequest } from "@/lib/common/contract";
import { listen } from "@/lib/server/db";
import { listCommands, listSigningKeys } from "./queries";
import { storeReport } from "./reports";
import { listAdopted } from "./sightings";

export interface PollAnswer {
  readonly commands: readonly Command[];
  readonly adopted: readonly AdoptedBoard[];
  readonly signingKeys: Awaited<ReturnType<typeof listSigningKeys>>;
}

/** A bell may ring for another server, or get lost: it is looked again at least this often. */
const lookAgainMs = 5000;

/**
 * Takes a server's report and answers its new commands and the boards that were adopted there, as soon as any are new, or
 * after the time it is ready to wait.
 *
 * @param signal The server has hung up.
 * @throws {AppError} `FORBIDDEN`, `STORE_UNAVAILABLE`
 */
export async function poll(
  serverId: string,
  report: PollRequest,
  signal: AbortSignal,
): Promise<PollAnswer> {
  await storeReport(serverId, report);
  const begun = new Set(report.slots.flatMap(({ commandId }) => commandId ?? []));
  const end = performance.now() + report.waitS * 1000;
  const bell = openBell(serverId, signal);
  try {
    for (;;) {
      const commands = await listCommands(serverId, begun);
      const adopted = await listAdopted(serverId);
      const hasNews = commands.length > 0 || !isKnown(adopted, report.adopted);
      const leftMs = end - performance.now();
      if (hasNews || leftMs <= 0 || signal.aborted) {
        return { commands, adopted, signingKeys: await listSigningKeys() };
      }
      await bell.wait(Math.min(leftMs, lookAgainMs));
    }
  } finally {
    await bell.close();
  }
}

const isKnown = (adopted: readonly AdoptedBoard[], known: readonly string[]): boolean =>
  adopted.length === known.length && adopted.every(({ key }) => known.includes(key));

/** Rings when a slot of this server gets a command, or a board of it is adopted or given up. A ring before the wait counts. */
function openBell(serverId: string, signal: AbortSignal) {
  let rung = false;
  let wake = (): void => {};
  const ring = (): void => {
    rung = true;
    wake();
  };
  const ear = listen("command", {
    onNotify: (payload) => {
      if (payload === serverId) ring();
    },
    onReconnect: ring,
  });
  signal.addEventListener("abort", ring, { once: true });
  return {
    async wait(mostMs: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, mostMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
    },
    async close(): Promise<void> {
      signal.removeEventListener("abort", ring);
      await ear.close();
    },
  };
}
