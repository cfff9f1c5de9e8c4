export { type BlockRam, readBlockRams } from "./bitstream";
export { clockLadder, nextpnrArgs, synthCommand } from "./flow";
export { type PllSettings, pllSettings } from "./pll";
export { renderTop, type TopOptions } from "./top";
