import { mkdir } from "node:fs/promises";
import type { AppError } from "@/lib/common/errors";
import type { TensorAddress } from "@/lib/server/board-protocol";
import { killableCalls } from "@/lib/server/process";
import { ArtifactCache } from "./artifacts";
import { type BondListen, startBondServer } from "./bond";
import { Journal, loadIdentity, Portal, startControlLoop } from "./control";
import { type DeviceLoader, PluggedBoards } from "./devices";
import { type HostFolders, watchUsb } from "./host";
import { portalDuties } from "./portal-duties";
import { type ListenAddress, startTensorServer, type TensorServer } from "./serving";
import { openSlots, type Slots } from "./slots";

/** Who the board server is, where it listens, and what it may run. */
export interface BoardServerOptions {
  readonly name: string;
  readonly portalUrl: string;
  readonly stateDir: string;
  readonly listen: ListenAddress;
  /** Needed until the server has enrolled once. */
  readonly enrolCode: string | undefined;
  /** The code will never be taken: it was another's, or is too old. */
  readonly onRefused?: (error: AppError) => void;
  readonly simulatedCapacity: number;
  /** 0: no CPU board. */
  readonly cpuSlots: number;
  /** Real boards of this host. */
  readonly plugged?: PluggedBoards;
  /** Where to look for boards on USB; left out: nowhere. */
  readonly host?: HostFolders | undefined;
  /** Where the contract of BondMachine's original boards is answered; left out: nowhere. */
  readonly bond?: BondListen | undefined;
  /** How a board of a kind is loaded: `cpu`, `simulated`. */
  readonly devices: Readonly<Record<string, DeviceLoader>>;
}

/** A running board server, and where the gateway reaches it. */
export interface BoardServer {
  readonly address: TensorAddress;
  /** Where the contract of the original's boards is answered. */
  readonly bondPort: number | undefined;
  /** Milliseconds since the portal last answered; null: it has not yet. */
  sincePortalMs(): number | null;
  /** How many slots are in each state. */
  slotStates(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Starts a board server: what it served before serves again at once, portal or no portal. */
export async function startBoardServer(options: BoardServerOptions): Promise<BoardServer> {
  const { name, portalUrl, stateDir, simulatedCapacity, devices } = options;
  const { plugged = new PluggedBoards(), onRefused = () => {} } = options;
  const { attached } = plugged;
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const identity = await loadIdentity(stateDir);
  const journal = killableCalls(await Journal.open(stateDir), {
    isCall: (method) => method === "update",
  });
  plugged.adopt(journal.current.adopted);
  plugged.recall(journal.current.plans, (plans) => journal.update({ plans }));
  const portal = killableCalls(new Portal(portalUrl, identity, journal.current.serverId), {
    isCall: (method) => ["enrol", "poll", "openFile"].includes(method),
  });
  const cache = new ArtifactCache(stateDir);
  await cache.open(filesIn(journal));

  let changed = (): void => {};
  attached.recall(journal.current.attached, async () => {
    await journal.update({ attached: [...attached.all] });
    changed();
  });
  const slots: Slots = await openSlots(
    journal,
    { cache, source: portal, keys: () => journal.current.signingKeys, devices },
    () => changed(),
  );
  const tensors: TensorServer = await startTensorServer(() => slots, options.listen, {
    identity: identity.tls,
    admits: (key) => journal.current.gateways.includes(key),
  });
  const bond = options.bond && (await startBondServer(() => slots, options.bond));
  const usb = options.host && (await watchUsb(options.host, () => changed()));
  const loop = startControlLoop(
    portalDuties({
      name,
      enrolCode: options.enrolCode,
      onRefused,
      journal,
      portal,
      plugged,
      attached,
      slots,
      offer: () => ({
        address: tensors.address,
        boards: boardsOf(options.cpuSlots, plugged),
        simulatedCapacity,
      }),
      surroundings: () => usb?.current,
      onChange: () => changed(),
    }),
  );
  changed = loop.changed;

  return {
    address: tensors.address,
    bondPort: bond?.port,
    sincePortalMs: () => loop.sinceAnswerMs,
    slotStates: () => countBy(slots.reports().map(({ state }) => state)),
    async close() {
      usb?.close();
      await attached.close();
      await loop.close();
      await tensors.close();
      await bond?.close();
      await slots.close();
    },
  };
}

function countBy(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The boards that are there whatever the portal wants: the CPU's, and real ones. */
function boardsOf(cpuSlots: number, plugged: PluggedBoards) {
  const cpu = { key: "cpu-0", boardModel: "cpu", kind: "cpu" as const, slots: cpuSlots };
  const physical = plugged.all.map(({ key, boardModel, loads }) => ({
    key,
    boardModel,
    kind: "physical" as const,
    slots: 1,
    ...(loads ? { loads } : {}),
  }));
  return [...(cpuSlots > 0 ? [cpu] : []), ...physical];
}

/** Digests that a slot of the journal needs. */
function filesIn(journal: Journal): Set<string> {
  return new Set(
    journal.current.slots.flatMap(({ command }) =>
      (command?.manifest.files ?? []).map(({ digest }) => digest),
    ),
  );
}
