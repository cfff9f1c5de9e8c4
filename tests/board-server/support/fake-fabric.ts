import { createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import { createAxiBus, loadSimulation } from "@/simulator/run";

type Bus = ReturnType<typeof createAxiBus>;

/** An FPGA that is none: whatever is loaded is simulated, and its registers are read and written through a socket. */
export interface FakeFabric {
  /** Where a fake of what maps registers asks: `r OFFSET` and `w OFFSET VALUE`, a line each. */
  readonly socket: string;
  /**
   * Puts a design into it. Null: none, and whoever reads its registers waits for ever; `foreign`: one without registers at
   * that address, so that the bus answers with an error.
   */
  load(design: Uint8Array | null | "foreign"): void;
  /** Reads and writes that came. */
  readonly traffic: { reads: number; writes: number };
  close(): Promise<void>;
}

/** Makes an empty FPGA. */
export async function makeFakeFabric(socket: string): Promise<FakeFabric> {
  let bus: Bus | null | "foreign" = null;
  const traffic = { reads: 0, writes: 0 };
  const answer = (line: string): string => {
    const [word, offset = "0", value = "0"] = line.split(" ");
    if (!bus) return "hang";
    if (bus === "foreign") return "error";
    if (word === "r") {
      traffic.reads++;
      const read = bus.read(Number(offset));
      return read.okay ? String(read.value) : "error";
    }
    traffic.writes++;
    return bus.write(Number(offset), Number(value)).okay ? "ok" : "error";
  };
  const server: Server = createServer((connection) => {
    connection.on("error", () => {});
    createInterface({ input: connection }).on("line", (line) => {
      const said = answer(line);
      if (said !== "hang") connection.write(`${said}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    socket,
    traffic,
    load(design) {
      bus = design instanceof Uint8Array ? createAxiBus(loadSimulation(design)) : design;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
