import { z } from "zod";
import { entryFields } from "../board-kind";

const absolute = z.string().startsWith("/");

/** An entry of the file that names the boards of a host. */
export const zynqBoardSchema = z.strictObject({
  ...entryFields,
  kind: z.literal("zynq"),
  /** Of `/sys/class/fpga_manager`; left out: the only one. */
  manager: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  /** The name of the UIO device that maps the registers, as `/sys/class/uio/uioN/name` has it. */
  uio: z.string().min(1).max(63).optional(),
  /** Or the address of the registers, for `/dev/mem`: `0x43c00000`. */
  address: z
    .string()
    .regex(
      /^0x[0-9a-fA-F]{1,10}000$/,
      "must be a hexadecimal address of a page, such as 0x43c00000",
    )
    .optional(),
  /** A compiled overlay of the device tree, put there after the design is loaded. */
  overlay: absolute.optional(),
  /** A file that takes the clock of the fabric in hertz. */
  clock: absolute.optional(),
  /** Where the kernel looks for firmware. */
  firmwareFolder: absolute.default("/lib/firmware"),
  /** An interpreter of Python 3. */
  python: z.string().min(1).default("python3"),
});

/** The FPGA beside the host's own processor. */
export type ZynqBoard = z.infer<typeof zynqBoardSchema>;
