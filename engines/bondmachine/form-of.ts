import type { MachineForm } from "./parts";
import type { MachineSizes } from "./sizes";

/** The form that options ask for, whether they were parsed or are as a form has them. */
export function formOf({
  flow,
  collapse,
}: {
  readonly flow?: unknown;
  readonly collapse?: unknown;
}): MachineForm {
  if (flow !== "neuralbond") return "direct";
  return collapse === false ? "split" : "fused";
}

/** All processors of a machine. */
export function processorsIn({ form, inputs, outputs, layers }: MachineSizes): number {
  const neurons = layers.reduce((total, layer) => total + layer.processors, 0);
  if (form === "direct") return neurons;
  const weights = layers.reduce((total, layer) => total + layer.connections, 0);
  return inputs + neurons + 2 * outputs + (form === "split" ? weights : 0);
}
