import { isAppError } from "@/lib/common/errors";
import { createAxiBus, type Simulation } from "@/simulator/run";
import type { BusAnswer, BusEvent } from "./icarus-axi";

const patience = 100_000;

/** Plays events to a design in our simulator; resets are those of `control`, its only ones here. */
export function runSimulatedBus(
  simulation: Simulation,
  events: readonly BusEvent[],
): readonly BusAnswer[] {
  const bus = createAxiBus(simulation);
  const answers: BusAnswer[] = [];
  for (const event of events) {
    if ("read" in event) {
      const { value, okay } = bus.read(event.read);
      answers.push(`read ${Number(okay)} ${value.toString(16).padStart(8, "0")}`);
    } else if ("write" in event) {
      answers.push(`wrote ${Number(bus.write(event.write, event.value).okay)}`);
    } else if ("send" in event) {
      bus.sendRow(Uint8Array.of(event.send), { isLast: event.last });
    } else if ("receive" in event) {
      answers.push(receive(bus, event.within ?? patience));
    } else if ("idle" in event) {
      bus.idle(event.idle);
    } else {
      simulation.set("aresetn", 0);
      bus.idle(event.reset);
      simulation.set("aresetn", 1);
      bus.idle(40);
    }
  }
  return answers;
}

function receive(bus: ReturnType<typeof createAxiBus>, within: number): BusAnswer {
  try {
    const { byte, last } = bus.receiveByte(within);
    return `byte ${Number(last)} ${byte.toString(16).padStart(2, "0")}`;
  } catch (error) {
    if (!isAppError(error) || error.reason !== "LINK_FAILED") throw error;
    return "nothing";
  }
}
