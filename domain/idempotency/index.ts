export { type Answer, withIdempotency } from "./commands";
