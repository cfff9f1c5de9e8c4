import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerThread } from "@/lib/server/process";
import { compileNetlist } from "@/simulator/compile";
import { readProduct } from "../tools/products";

/** Turns a netlist of the work folder into a simulation beside it. */
export interface SimulationTask {
  readonly work: string;
  readonly netlist: string;
  readonly top: string;
  readonly signals: readonly string[];
  readonly product: string;
}

answerThread(({ work, netlist, top, signals, product }: SimulationTask) => {
  const text = readProduct(work, netlist).toString("utf8");
  const { wasm, cells } = compileNetlist(text, { top, signals });
  writeFileSync(join(work, product), wasm);
  return { cells, bytes: wasm.length };
});
