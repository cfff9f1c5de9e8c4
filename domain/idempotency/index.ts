export { recallAnswer, withIdempotency } from "./commands";
