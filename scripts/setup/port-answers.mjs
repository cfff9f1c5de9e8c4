import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Fixable } from "../lib/say.mjs";

/** Resolves once something listens on a port and goes on: a store whose port is another's ends a moment later. */
export async function answersFor(port, gone) {
  await reachable(port, gone);
  await pause(300);
}

/** Resolves once something listens on a loopback port; never, once `gone`. */
async function reachable(port, gone) {
  for (let tries = 0; tries < 600; tries++) {
    if (gone.aborted) return new Promise(() => {});
    const open = await new Promise((resolve) => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (open) return;
    await pause(50);
  }
  throw new Fixable(`Nothing answers on port ${port} after 30 s.`);
}
