export { harness, harnessPath } from "./harness";
export { emulationHelpers } from "./helpers";
export { emulation, emulationPaths } from "./paths";
