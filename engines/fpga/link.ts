import { axiSource, type BoardModel, shellSource } from "@/boards";
import { paths } from "./paths";

/** What stands between a core and a host: its Verilog, and the module that the whole design is. */
export interface LinkDesign {
  readonly kind: "uart" | "axi";
  readonly top: string;
  /** Verilog of the design at any clock and with any identity, the top's file first. */
  readonly sources: readonly string[];
  /** Verilog of what is blank in it: the clock, and the tables that hold its identity. */
  readonly settings: readonly string[];
  /** Its files that are the same for every core and clock. */
  readonly files: ReadonlyMap<string, string>;
}

/** The link of a board, its first one counts: a serial line, or AXI to a processor or a card's platform. Null for none. */
export function linkOf({ links: [link] }: BoardModel): LinkDesign | null {
  if (!link || link.kind === "memory") return null;
  if (link.kind === "uart") {
    return {
      kind: "uart",
      top: "top",
      sources: [paths.top, paths.shell, paths.identity, paths.core],
      settings: [paths.clock, paths.tables],
      files: new Map([[paths.shell, shellSource()]]),
    };
  }
  return {
    kind: "axi",
    top: "boardwalk_axi",
    sources: [paths.axi, paths.identity, paths.core],
    settings: [paths.tables],
    files: new Map([[paths.axi, axiSource()]]),
  };
}
