import type { BoardModel } from "@/boards";
import { findFamily } from "@/boards/families";

/** What becomes of designs for a board: who makes the bitstream, how a host speaks with it, what is not known of it. */
interface BoardOverview {
  readonly bitstream: string;
  readonly link: string;
  /** Data that no source of the catalogue gives, each as a person would look for it. */
  readonly missing: readonly string[];
}

/** A board's line in the documentation. */
export function overviewOf(board: BoardModel): BoardOverview {
  const { flow } = board.part;
  if (flow.kind === "cpu") return { bitstream: "none: a CPU", link: "memory", missing: [] };
  const family = findFamily(board.part);
  const vendor = family?.vendor?.tool(board);
  const open = family?.tools.filter((tool) => !tool.startsWith("yosys")).join(", ");
  return {
    bitstream: vendor ? `needs ${vendor}: project written, simulated` : `yosys, ${open}`,
    link: linkWords(board),
    missing: missingOf(board),
  };
}

function linkWords({ links: [link] }: BoardModel): string {
  if (link?.kind === "uart") return `serial${link.onboard ? "" : ", on a header"}`;
  return link?.kind === "axi" ? "AXI from its processor" : "AXI from its PCIe platform";
}

function missingOf({ links: [link], clocks }: BoardModel): readonly string[] {
  if (link?.kind === "axi" && link.boardPart === null)
    return ["Vivado's name of the board, so its processor is left as its boot image sets it up"];
  if (link?.kind !== "pcie") return [];
  const pins = clocks.length === 0 ? ["pins of clock and reset"] : [];
  return [...pins, "pins of the PCIe lanes and their clock, so it needs its platform"];
}
