export { type BlockRam, readBlockRams } from "./bitstream";
export { clockLadder, nextpnrArgs, synthCommand } from "./flow";
export { pllSettings } from "./pll";
export { renderTop } from "./top";
