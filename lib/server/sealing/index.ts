export { ensureSealingKeys, openSealed, seal } from "./seal";
