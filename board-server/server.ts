import { mkdir } from "node:fs/promises";
import { type AppError, isAppError } from "@/lib/common/errors";
import { admitKeys, type TensorAddress } from "@/lib/server/board-protocol";
import { fault } from "@/lib/server/process";
import { ArtifactCache, openAdoptions, openCommand } from "./artifacts";
import { Journal, type JournalState, loadIdentity, Portal, startControlLoop } from "./control";
import { type DeviceLoader, PluggedBoards } from "./devices";
import { type HostFolders, watchUsb } from "./host";
import { type ListenAddress, startTensorServer, type TensorServer } from "./serving";
import { openSlots, type Slots } from "./slots";

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
  /** Real boards on cables of this host. */
  readonly plugged?: PluggedBoards;
  /** Where to look for boards on USB; left out: nowhere. */
  readonly host?: HostFolders | undefined;
  /** How a board of a kind is loaded: `cpu`, `simulated`. */
  readonly devices: Readonly<Record<string, DeviceLoader>>;
}

export interface BoardServer {
  readonly address: TensorAddress;
  close(): Promise<void>;
}

/** Starts a board server: what it served before serves again at once, portal or no portal. */
export async function startBoardServer(options: BoardServerOptions): Promise<BoardServer> {
  const { name, portalUrl, stateDir, simulatedCapacity, devices } = options;
  const { plugged = new PluggedBoards(), onRefused = () => {} } = options;
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const identity = await loadIdentity(stateDir);
  const journal = await Journal.open(stateDir);
  plugged.adopt(journal.current.adopted);
  plugged.recall(journal.current.plans, (plans) => journal.update({ plans }));
  const portal = new Portal(portalUrl, identity, journal.current.serverId);
  const cache = new ArtifactCache(stateDir);
  await cache.open(filesIn(journal));

  let changed = (): void => {};
  const slots: Slots = await openSlots(
    journal,
    { cache, source: portal, keys: () => journal.current.signingKeys, devices },
    () => changed(),
  );
  const tensors: TensorServer = await startTensorServer(() => slots, options.listen);
  const usb = options.host && (await watchUsb(options.host, () => changed()));
  const cpu = { key: "cpu-0", boardModel: "cpu", kind: "cpu" as const, slots: options.cpuSlots };
  const offer = () => ({
    address: tensors.address,
    boards: [
      ...(cpu.slots > 0 ? [cpu] : []),
      ...plugged.all.map(({ key, boardModel }) => ({
        key,
        boardModel,
        kind: "physical" as const,
        slots: 1,
      })),
    ],
    simulatedCapacity,
  });
  /** What nobody has named yet. */
  const surroundings = () =>
    usb && {
      ...usb.current,
      sightings: usb.current.sightings.filter(({ serialPort }) => !plugged.isNamed(serialPort)),
    };

  const pin = (offered: Pick<JournalState, "signingKeys" | "controlKeys">) => {
    const { signingKeys, controlKeys } = journal.current;
    return {
      signingKeys: admitKeys(signingKeys, offered.signingKeys),
      controlKeys: admitKeys(controlKeys, offered.controlKeys),
    };
  };
  const loop = startControlLoop({
    async enrol(signal) {
      if (portal.serverId !== null) return;
      const { enrolCode: code = "" } = options;
      const { serverId, ...keys } = await portal
        .enrol({ code, name, ...offer() }, signal)
        .catch((error: unknown) => {
          if (isAppError(error) && error.reason === "ENROLMENT_INVALID") onRefused(error);
          throw error;
        });
      fault("board-server.in-enrol");
      await journal.update({ serverId, ...pin(keys) });
    },
    poll: (waitS, signal) =>
      portal.poll(
        {
          ...offer(),
          slots: slots.reports(),
          surroundings: surroundings(),
          adopted: journal.current.adopted.map(({ key }) => key),
          waitS,
        },
        signal,
      ),
    async onAnswer({ commands, adopted: signedAdopted, askedWith, ...offered }) {
      const keys = pin(offered);
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
      for (const adopted of open(() =>
        openAdoptions(signedAdopted, { ...trust, nonce: askedWith }),
      )) {
        if (JSON.stringify(adopted) === JSON.stringify(journal.current.adopted)) continue;
        plugged.adopt(adopted);
        await journal.update({ adopted, plans: plugged.plans });
        changed();
      }
      const opened = commands.flatMap((signed) => open(() => openCommand(signed, trust)));
      await slots.accept(opened);
      // The portal would give the same again at once: the loop waits a while first, and says why.
      if (problems.length > 0) throw problems[0];
    },
  });
  changed = loop.changed;

  return {
    address: tensors.address,
    async close() {
      usb?.close();
      await loop.close();
      await tensors.close();
      await slots.close();
    },
  };
}

/** Digests that a slot of the journal needs. */
function filesIn(journal: Journal): Set<string> {
  return new Set(
    journal.current.slots.flatMap(({ command }) =>
      (command?.manifest.files ?? []).map(({ digest }) => digest),
    ),
  );
}
