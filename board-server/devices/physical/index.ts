export type { SerialBoard } from "./serial-board";
export { serialBoard, serialKind } from "./serial-kind";
