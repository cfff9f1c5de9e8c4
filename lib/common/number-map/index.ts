export { NumberMap } from "./number-map";
