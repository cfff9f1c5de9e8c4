export { ensureSealingKeys, openSealed, type SealContext, seal } from "./seal";
