import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { createDevices, PluggedBoards } from "@/board-server/devices";
import type { PluggedBoard } from "@/board-server/devices/board-kind";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import type { SlotReport } from "@/lib/common/contract";
import { loadOf, makeSigner, type TestArtifact } from "./artifacts";
import { type FakePortal, startFakePortal } from "./fake-portal";
import { inferRow } from "./infer";

/** A board server with one real board, and a portal that has it load. */
export interface OneBoard {
  readonly folder: string;
  readonly portal: FakePortal;
  /** Starts the board server, or starts it again. */
  start(board: PluggedBoard): Promise<void>;
  stop(): Promise<void>;
  load(artifact: TestArtifact): void;
  /** Loads another one. A poll that the server has given up takes its command with it: it is given again. */
  loadNext(artifact: TestArtifact, epoch: number): Promise<void>;
  /** One load by the device alone, without a server that tries again. */
  loadAlone(board: PluggedBoard, artifact: TestArtifact): Promise<void>;
  infer(...row: number[]): ReturnType<typeof inferRow>;
  until(test: (report: SlotReport) => boolean): Promise<SlotReport>;
  close(): Promise<void>;
}

/** Makes a portal and a folder for a board server. @param key The board's name. */
export async function makeOneBoard(key: string): Promise<OneBoard> {
  const signer = makeSigner();
  const folder = await mkdtemp(path.join(tmpdir(), "bw-ob-"));
  const portal = await startFakePortal(signer);
  let server: BoardServer | null = null;
  const commandOf = (artifact: TestArtifact, slotEpoch: number) => {
    const command = loadOf(artifact, signer, { slotEpoch });
    return { ...command, board: { ...command.board, key, kind: "physical" as const } };
  };
  const give = (artifact: TestArtifact, epoch: number): void => {
    portal.offer(artifact);
    portal.command(commandOf(artifact, epoch));
  };
  const stop = async (): Promise<void> => {
    await server?.close();
    server = null;
  };
  return {
    folder,
    portal,
    async start(board) {
      const boards = new PluggedBoards([board]);
      server = await startBoardServer({
        name: "test",
        portalUrl: portal.url,
        stateDir: path.join(folder, "state"),
        listen: { kind: "unix", path: path.join(folder, "s") },
        enrolCode: portal.code,
        simulatedCapacity: 0,
        cpuSlots: 0,
        plugged: boards,
        devices: createDevices({ plugged: boards }),
      });
    },
    stop,
    load: (artifact) => give(artifact, 1),
    async loadNext(artifact, epoch) {
      const isTaken = () =>
        portal.polls.at(-1)?.slots.some(({ slotEpoch }) => slotEpoch === epoch) ?? false;
      const giveOnce = () => {
        if (!isTaken()) give(artifact, epoch);
        return isTaken();
      };
      await expect.poll(giveOnce, { interval: 300 }).toBe(true);
    },
    async loadAlone(board, artifact) {
      const file = path.join(folder, "bitstream");
      const entry = artifact.manifest.files.find(({ role }) => role === "bitstream");
      writeFileSync(file, artifact.files.get(entry?.digest ?? "") ?? "");
      const devices = createDevices({ plugged: new PluggedBoards([board]) });
      const command = commandOf(artifact, 1);
      const model = await devices["physical"]?.({ command, file: async () => file });
      await model?.close();
    },
    infer: (...row) => inferRow(path.join(folder, "s"), row),
    until: (test) => portal.until("slt_1", test, 40_000),
    async close() {
      await stop();
      await portal.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a slot is in a state. */
export const inState = (wanted: string) => (report: SlotReport) => report.state === wanted;
/** Whether a slot was not filled, and says why. */
export const isRefused = ({ state, problem }: SlotReport) => state === "empty" && problem !== null;
/** A row, and what the trial core answers to it. */
export const trialRow = [1, 2, 3, 4, 5];
export const trialAnswer = [15 + 256 * 20, 25 + 256 * 30];
