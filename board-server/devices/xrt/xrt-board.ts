import { z } from "zod";
import { entryFields } from "../board-kind";

/** An entry of the file that names the boards of a host. */
export const xrtBoardSchema = z.strictObject({
  ...entryFields,
  kind: z.literal("xrt"),
  /** The card's user function on the bus, as `xbutil examine` lists it; left out: the only card of the board model. */
  device: z
    .string()
    .regex(/^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/, "must look like 0000:65:00.1")
    .optional(),
  /** Where XRT is installed. */
  xrt: z.string().startsWith("/").default("/opt/xilinx/xrt"),
  /** `boardwalk-xrt.cc`, compiled for the host's XRT; left out: pyxrt is asked. */
  library: z.string().startsWith("/").optional(),
  /** An interpreter of Python 3, for which XRT's pyxrt was made. */
  python: z.string().min(1).default("python3"),
});

/** An Alveo card of this host. */
export type XrtBoard = z.infer<typeof xrtBoardSchema>;
