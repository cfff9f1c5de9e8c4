export { ensureSealingKeys, openSealed, seal } from "./seal";
export { type Resealed, type StoredSecret, sealAllAgain } from "./seal-all-again";
