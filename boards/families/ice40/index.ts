export { clockLadder, nextpnrArgs, synthCommand } from "./flow";
export { type PllSettings, pllSettings } from "./pll";
export { renderTop, type TopOptions } from "./top";
