import { type LogWriter, type NewLine, storedBytes } from "./writer";

/** Where lines go. */
export type Log = Pick<LogWriter, "write" | "room">;

/** Beyond this, lines do not wait any longer. */
const mostHeldBytes = 4 * 2 ** 20;

/**
 * Keeps the lines of work that goes on beside other work, so that both do not mingle line by line: those of a stage are
 * written in one piece when the next one begins or at `release`, each with the time at which it came.
 */
export function holdLog(log: Log): Log & { release(): void } {
  let held: NewLine[] = [];
  let heldBytes = 0;
  const release = () => {
    for (const line of held) log.write(line);
    held = [];
    heldBytes = 0;
  };
  return {
    write(line) {
      if (held[0] && held[0].stage !== line.stage) release();
      held.push({ time: new Date().toISOString(), ...line });
      heldBytes += storedBytes(line);
      if (heldBytes > mostHeldBytes) release();
    },
    room: () => log.room(),
    release,
  };
}
