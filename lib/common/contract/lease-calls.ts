import { z } from "zod";
import { timingSchema } from "./endpoints";
import { isoTimeSchema } from "./names";

// What the holder of a lease asks of the board itself: bytes for its serial line, and rows for what is loaded.

/** Bytes that one call puts on a line at most. */
export const mostLineBytes = 4096;
/** What is kept of a line: a window, not a log. */
export const keptLine = { bytes: 64 * 1024, chunks: 2000 } as const;
/** Bytes of the rows that one call carries, and of its answer, as JSON. */
export const mostRowsBytes = { request: 64 * 1024, response: 256 * 1024 } as const;

const bytesSchema = z.base64();

const callFields = { id: z.string(), slotId: z.string(), slotEpoch: z.number().int() } as const;

/** Puts bytes on the line of a board, and has everything that the board says there told. */
export const lineCommandSchema = z.strictObject({
  kind: z.literal("line"),
  ...callFields,
  bytes: bytesSchema,
});
/** Asks what a slot holds: `request` is the JSON of a V2 request. */
export const inferCommandSchema = z.strictObject({
  kind: z.literal("infer"),
  ...callFields,
  request: z.string(),
});
/** Something that the holder of a lease asks of what they have loaded. Not carried out twice while the server lives. */
export type CallCommand = z.infer<typeof lineCommandSchema> | z.infer<typeof inferCommandSchema>;

/** How a call is going, as its board server says it. */
export const callReportSchema = z.strictObject({
  id: z.string(),
  state: z.enum(["running", "succeeded", "failed"]),
  /** The JSON of the V2 answer. */
  response: z.string().optional(),
  timing: timingSchema.optional(),
  problem: z.strictObject({ reason: z.string(), message: z.string() }).nullable(),
});
/** What a board server says of one call in each poll, until the portal has heard its end. */
export type CallReport = z.infer<typeof callReportSchema>;

/** What passed on the line of one slot since the portal last heard of it. */
export const lineReportSchema = z.strictObject({
  slotId: z.string(),
  slotEpoch: z.number().int(),
  /** Names one time that the slot was loaded: chunks are numbered from 1 within it. */
  tap: z.string().max(100),
  chunks: z
    .array(
      z.strictObject({
        number: z.number().int().min(1),
        toBoard: z.boolean(),
        /** How long before this report it passed, by the board server's clock. */
        agoMs: z.number().int().min(0),
        bytes: bytesSchema,
      }),
    )
    .max(keptLine.chunks),
});
/** What passed on the line of one slot, oldest first. */
export type LineReport = z.infer<typeof lineReportSchema>;

/** Which part of the window: what came after a chunk. */
export const leaseConsoleQuerySchema = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
});

/** Bytes for the board, and from where on the window is wanted in the answer. None: the line is only opened. */
export const leaseConsoleBytesSchema = z.strictObject({
  bytes: bytesSchema
    .max(Math.ceil(mostLineBytes / 3) * 4)
    .refine((text) => decodedBytes(text) <= mostLineBytes, {
      error: `One call puts ${mostLineBytes} bytes on the line at most.`,
    }),
  after: z.number().int().min(0).optional(),
});
/** What is put on the line of a leased board. */
export type LeaseConsoleBytes = z.infer<typeof leaseConsoleBytesSchema>;

/** How many bytes a text in base64 is. */
const decodedBytes = (text: string): number =>
  (text.length / 4) * 3 - (/=*$/.exec(text)?.[0] ?? "").length;

/** The window of a leased board's line. */
export const leaseConsoleSchema = z.object({
  items: z.array(
    z.object({
      /** Grows from chunk to chunk. */
      seq: z.number().int(),
      toBoard: z.boolean(),
      at: isoTimeSchema,
      /** Base64. */
      bytes: z.string(),
      /** Whether bytes before it were lost, or are kept no more. */
      isAfterGap: z.boolean(),
    }),
  ),
  /** The newest chunk of the window. */
  newest: z.number().int(),
  /** Changes with each load; null: nothing serves, so that no bytes can be sent. */
  load: z.number().int().nullable(),
});
/** The window of a leased board's line. */
export type LeaseConsole = z.infer<typeof leaseConsoleSchema>;
