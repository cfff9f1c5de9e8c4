export { Backoff, backoffMs } from "./backoff";
