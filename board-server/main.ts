import path from "node:path";
import { boardServerEnv } from "@/lib/server/env";
import { logger } from "@/lib/server/logger";
import { gauge, label, linesOf, OwnProcess, startOwnStatusServer } from "@/lib/server/metrics";
import { onShutdown, openProcess, watchLoop, watchParent } from "@/lib/server/process";
import { createDevices, findFpgas, PluggedBoards, readPluggedBoards } from "./devices";
import { startBoardServer } from "./server";
import { listenAddress } from "./serving";

openProcess();
const env = boardServerEnv();
const host = { sys: env.BOARD_SERVER_SYS_DIR, dev: env.BOARD_SERVER_DEV_DIR };
const plugged = new PluggedBoards(
  env.BOARD_SERVER_BOARDS_FILE ? await readPluggedBoards(env.BOARD_SERVER_BOARDS_FILE, host) : [],
);
const server = await startBoardServer({
  name: env.BOARD_SERVER_NAME,
  portalUrl: env.PORTAL_URL,
  stateDir: env.BOARD_SERVER_STATE_DIR ?? path.join(env.BOARDWALK_HOME, "board-server"),
  listen: listenAddress({
    socket: env.BOARD_SERVER_SOCKET,
    host: env.BOARD_SERVER_HOST,
    port: env.BOARD_SERVER_PORT,
    reachedAt: env.BOARD_SERVER_ADDRESS,
  }),
  enrolCode: env.BOARD_SERVER_ENROL_CODE,
  // Whoever starts this process again may have a newer code for it.
  onRefused(err) {
    logger().fatal({ err, reason: err.reason }, "the enrolment code is not taken; make a new one");
    process.exit(1);
  },
  simulatedCapacity: env.BOARD_SERVER_SIMULATED_CAPACITY,
  cpuSlots: env.BOARD_SERVER_CPU_SLOTS,
  plugged,
  host,
  bond:
    env.BOARD_SERVER_BOND_PORT === undefined
      ? undefined
      : { host: env.BOARD_SERVER_BOND_HOST, port: env.BOARD_SERVER_BOND_PORT },
  devices: createDevices({
    plugged,
    simulated: { corruptEvery: env.BOARD_SERVER_CORRUPT_EVERY ?? null },
    cpu: { memoryLimitBytes: env.BOARD_SERVER_CPU_MEMORY_MB * 2 ** 20 },
  }),
});
const ownProcess = new OwnProcess();
/** A portal that has not answered for so long is away: it answers a poll within five seconds. */
const silentMs = 15_000;
const status = await startOwnStatusServer({
  port: env.BOARD_SERVER_METRICS_PORT,
  variable: "BOARD_SERVER_METRICS_PORT",
  checks: {
    portal: async () => {
      const sinceMs = server.sincePortalMs();
      if (sinceMs === null) throw new Error("The portal has not answered yet.");
      if (sinceMs > silentMs)
        throw new Error(`The portal has not answered for ${Math.round(sinceMs / 1000)} s.`);
    },
  },
  text: async () =>
    linesOf(
      gauge(
        "boardwalk_slots",
        "Slots of this board server, by state.",
        [...server.slotStates()].map(([state, count]) => [label({ state }), count]),
      ),
      ownProcess.lines(),
    ),
});
onShutdown(async () => {
  await status?.close();
  await server.close();
});
watchParent();
watchLoop({ log: logger().child({ process: "board-server" }) });
logger().info({ address: server.address }, "board server started");
const fpgas = await findFpgas(host);
if (fpgas.length > 0) {
  const boards = plugged.all.map(({ key, boardModel }) => ({ key, boardModel }));
  logger().info(
    { fpgas, boards },
    "this host has FPGAs; docs/boards-zynq.md says how they are named",
  );
}
