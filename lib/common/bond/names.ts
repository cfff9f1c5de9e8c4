import { z } from "zod";

/**
 * A name of a firmware in the store of a board. The original puts it into addresses, paths and shell commands as it is: what
 * could mean anything there is no name.
 */
export const firmwareNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/,
    "letters, digits, hyphens, underscores and single dots",
  )
  .max(128);

/** `host:port` of a gRPC server: a name, an IPv4 address, or an IPv6 address in brackets; nothing besides. */
export const grpcAddressSchema = z
  .string()
  .max(270)
  .regex(
    /^([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:]{2,39}\]):[1-9][0-9]{0,4}$/,
    "host:port, such as 192.168.2.99:50051",
  )
  .refine((address) => Number(address.slice(address.lastIndexOf(":") + 1)) <= 65_535, {
    message: "a port is 1 to 65535",
  });

/** What the original calls the host side of a board: it must come with every load. */
export const bondArchSchema = z.enum(["zynq", "alveo"]);
export type BondArch = z.infer<typeof bondArchSchema>;

/** The architecture of a board model of the catalogue. */
export const archOf = (boardModel: string): BondArch =>
  boardModel.startsWith("alveo") ? "alveo" : "zynq";
