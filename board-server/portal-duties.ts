import { type AppError, isAppError } from "@/lib/common/errors";
import { admitKeys } from "@/lib/server/board-protocol";
import { fault } from "@/lib/server/process";
import { openAdoptions, openAttachments, openCommand, openGateways } from "./artifacts";
import type { ControlLoopOptions, Journal, JournalState, Portal, PortalAnswer } from "./control";
import type { AttachedBoards, PluggedBoards } from "./devices";
import type { UsbWatch } from "./host";
import type { Slots } from "./slots";

interface Duties {
  readonly name: string;
  readonly enrolCode: string | undefined;
  readonly onRefused: (error: AppError) => void;
  readonly journal: Journal;
  readonly portal: Portal;
  readonly plugged: PluggedBoards;
  readonly attached: AttachedBoards;
  readonly slots: Slots;
  /** Where this server answers, and the boards that it has. */
  readonly offer: () => Omit<Parameters<Portal["enrol"]>[0], "code" | "name">;
  /** What is seen on the host; undefined when nobody looks. */
  readonly surroundings: () => UsbWatch["current"] | undefined;
  /** Called when the portal must hear of a change at once. */
  readonly onChange: () => void;
}

/** What a board server does at each turn of its control loop. */
export function portalDuties(duties: Duties): ControlLoopOptions {
  return {
    enrol: (signal) => enrol(duties, signal),
    poll: (waitS, signal) => poll(duties, waitS, signal),
    onAnswer: (answer) => obey(duties, answer),
  };
}

async function enrol(duties: Duties, signal: AbortSignal): Promise<void> {
  const { journal, portal, name, enrolCode: code = "", onRefused } = duties;
  if (portal.serverId !== null) return;
  const { serverId, ...keys } = await portal
    .enrol({ code, name, ...duties.offer() }, signal)
    .catch((error: unknown) => {
      if (isAppError(error) && error.reason === "ENROLMENT_INVALID") onRefused(error);
      throw error;
    });
  fault("board-server.in-enrol");
  await journal.update({ serverId, ...pin(journal, keys) });
}

async function poll(duties: Duties, waitS: number, signal: AbortSignal): Promise<PortalAnswer> {
  const { journal, portal, plugged, attached, slots } = duties;
  const seen = duties.surroundings();
  // What nobody has named yet.
  const surroundings = seen && {
    ...seen,
    sightings: seen.sightings.filter(({ serialPort }) => !plugged.isNamed(serialPort)),
  };
  const tasks = slots.taskReports();
  const calls = slots.callReports();
  const lines = slots.lineReports();
  const answer = await portal.poll(
    {
      ...duties.offer(),
      slots: slots.reports(),
      surroundings,
      adopted: journal.current.adopted.map(({ key }) => key),
      ...(attached.all.length > 0 ? { attached: attached.reports() } : {}),
      ...(tasks.length > 0 ? { tasks } : {}),
      calls,
      ...(lines.length > 0 ? { lines } : {}),
      ...(isRemote(duties) ? { gateways: journal.current.gateways } : {}),
      waitS,
    },
    signal,
  );
  slots.forgetTasks(tasks);
  slots.forgetCalls(calls);
  slots.forgetLines(lines);
  return answer;
}

/** Pins the keys of an answer, then does what those that were pinned before vouch for. */
async function obey(duties: Duties, answer: PortalAnswer): Promise<void> {
  const { journal, slots } = duties;
  const keys = pin(journal, answer);
  const { signingKeys, controlKeys } = journal.current;
  if (keys.signingKeys !== signingKeys || keys.controlKeys !== controlKeys)
    await journal.update(keys);
  const problems: unknown[] = [];
  const trust = { serverId: journal.current.serverId ?? "", keys: keys.controlKeys };
  const open = <T>(opener: () => T): T[] => {
    try {
      return [opener()];
    } catch (error) {
      problems.push(error);
      return [];
    }
  };
  const nonce = answer.askedWith;
  for (const adopted of open(() => openAdoptions(answer.adopted, { ...trust, nonce }))) {
    await adopt(duties, adopted);
  }
  const { attached } = answer;
  if (attached) {
    for (const boards of open(() => openAttachments(attached, { ...trust, nonce })))
      duties.attached.attach(boards);
  }
  const { gateways } = answer;
  if (gateways) {
    for (const keys of open(() => openGateways(gateways, { ...trust, nonce })))
      await admit(duties, keys);
  }
  const opened = answer.commands.flatMap((signed) => open(() => openCommand(signed, trust)));
  await slots.accept(opened);
  // The portal would give the same again at once: the loop waits a while first, and says why.
  if (problems.length > 0) throw problems[0];
}

async function adopt(
  { journal, plugged, onChange }: Duties,
  adopted: JournalState["adopted"],
): Promise<void> {
  if (JSON.stringify(adopted) === JSON.stringify(journal.current.adopted)) return;
  plugged.adopt(adopted);
  await journal.update({ adopted, plans: plugged.plans });
  onChange();
}

/** Only gateways of other hosts have to be known. */
const isRemote = ({ offer }: Duties): boolean => offer().address.kind === "tls";

async function admit({ journal, onChange }: Duties, gateways: string[]): Promise<void> {
  const known = journal.current.gateways;
  if (JSON.stringify(gateways) === JSON.stringify(known)) return;
  await journal.update({ gateways });
  onChange();
}

/** The keys to trust from now on: those of the journal, and those offered that one of them vouches for. */
function pin(journal: Journal, offered: Pick<JournalState, "signingKeys" | "controlKeys">) {
  const { signingKeys, controlKeys } = journal.current;
  return {
    signingKeys: admitKeys(signingKeys, offered.signingKeys),
    controlKeys: admitKeys(controlKeys, offered.controlKeys),
  };
}
