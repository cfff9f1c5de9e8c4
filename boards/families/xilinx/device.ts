import type { BoardModel } from "../../schema";

/** What Vivado calls a board's part. */
export const deviceOf = ({ part: { flow, name } }: BoardModel): string => {
  if (flow.kind !== "vivado") throw new RangeError(`${name} is no part of Vivado's.`);
  return flow.device;
};
