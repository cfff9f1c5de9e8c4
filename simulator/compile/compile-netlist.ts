import type { SimulationInterface } from "../interface";
import { buildDesign } from "./build-design";
import { emitModule } from "./emit-module";
import { parseNetlist } from "./netlist";

export interface CompileOptions {
  /** The module to simulate, flattened. */
  readonly top: string;
  /** Nets to keep visible besides the ports, by their names in the netlist; up to 64 bits each. */
  readonly signals?: readonly string[] | undefined;
  /** The clock input, where the caller wants it checked; otherwise the one the registers use. */
  readonly clock?: string | undefined;
}

export interface CompiledSimulation {
  /** One module without imports; `docs/simulation-interface.md` describes its exports. */
  readonly wasm: Uint8Array;
  readonly interface: SimulationInterface;
  /** Cells simulated. */
  readonly cells: number;
}

/**
 * Compiles a word-level Yosys netlist into a WebAssembly module that simulates it cycle by cycle.
 * Equal netlists give equal bytes.
 *
 * @param netlistJson What `proc; flatten; memory_collect; opt_clean; write_json` wrote, parsed or as text.
 * @throws {AppError} `CELL_UNSUPPORTED` naming what the simulator does not take, `NETLIST_INVALID` otherwise.
 */
export function compileNetlist(netlistJson: unknown, options: CompileOptions): CompiledSimulation {
  const netlist = parseNetlist(netlistJson, options.top);
  const design = buildDesign(netlist, { signals: options.signals ?? [], clock: options.clock });
  const { wasm, interface: description } = emitModule(design);
  return { wasm, interface: description, cells: design.cells };
}
