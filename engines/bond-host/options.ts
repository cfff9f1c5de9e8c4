import { z } from "zod";

/** What the original build server is asked for, besides the network. */
export const optionsSchema = z.strictObject({
  flavor: z
    .enum(["axist", "aximm"])
    .default("axist")
    .meta({ title: "Spoken to by" })
    .describe(
      "How rows reach BondMachine's core. axist: a stream, sixteen rows a transfer. aximm: memory, one row at a time. hls4ml's firmware has a way of its own.",
    ),
});
