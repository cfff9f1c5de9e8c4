export { type Answer, recallAnswer, withIdempotency } from "./commands";
