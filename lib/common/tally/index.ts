export { Tally } from "./tally";
