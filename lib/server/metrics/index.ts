export { OwnProcess } from "./own-process";
export { counter, gauge, histogram, label, linesOf } from "./prometheus";
export {
  type StatusServer,
  startOwnStatusServer,
  startStatusServer,
} from "./status-server";
