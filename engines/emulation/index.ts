export { harness, harnessPath } from "./harness";
export { emulationHelpers } from "./helpers";
