import type { BoardKind } from "./board-kind";
import { bondKind } from "./bond-grpc";
import { serialKind } from "./physical";
import { xrtKind } from "./xrt";
import { zynqKind } from "./zynq";

/** Every way in which this server reaches real boards. An entry that names none is a board on a serial line. */
export const boardKinds: readonly [BoardKind, ...BoardKind[]] = [
  serialKind,
  zynqKind,
  xrtKind,
  bondKind,
];
