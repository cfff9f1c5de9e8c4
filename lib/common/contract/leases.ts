import { z } from "zod";
import { boardKindSchema } from "./boards";
import { problemSchema } from "./errors";
import { digestSchema, isoTimeSchema } from "./names";
import { slotStateSchema } from "./states";

/** How long leases may be, in minutes, and how many days ahead a board can be booked. */
export const leaseLimitsSchema = z.object({
  minutes: z.number().int(),
  mostMinutes: z.number().int(),
  aheadDays: z.number().int(),
});
/** What an installation allows of leases; `minutes` stands where nothing is said. */
export type LeaseLimits = z.infer<typeof leaseLimitsSchema>;

const minutesSchema = z.int().min(1).max(100_000);

/** One board by its id, or any of a model. CPUs are shared and never leased. */
const leaseTargetSchema = z.union([
  z.strictObject({ id: z.string().max(200) }),
  z.strictObject({ model: z.string().max(200), kind: z.enum(["physical", "simulated"]) }),
]);
/** The board that somebody wants: this one, or any of a model. */
export type LeaseTarget = z.infer<typeof leaseTargetSchema>;

/** A lease that begins now, or a booking of a board for later. */
export const newLeaseSchema = z.strictObject({
  board: leaseTargetSchema,
  minutes: minutesSchema.optional(),
  /** Left out: now. */
  startsAt: isoTimeSchema.optional(),
  purpose: z.string().trim().max(200).default(""),
});
/** What a lease is asked with. */
export type NewLease = z.infer<typeof newLeaseSchema>;

/** A place in the waiting list of a board, or of a board model. */
export const newLeaseWaitSchema = newLeaseSchema.omit({ startsAt: true });
/** What a place in a waiting list is asked with. */
export type NewLeaseWait = z.infer<typeof newLeaseWaitSchema>;

/** How much longer. */
export const leaseExtensionSchema = z.strictObject({ minutes: minutesSchema.optional() });
/** Which artifact to load. */
export const leaseLoadSchema = z.strictObject({ artifactDigest: digestSchema });

/** `booked`: it has not begun. */
export const leaseStates = ["booked", "active", "ended"] as const;

/** A board for somebody for a time. Of other projects only the times are told. */
export const leaseSchema = z.object({
  /** Null: of another project. */
  id: z.string().nullable(),
  boardId: z.string(),
  boardName: z.string(),
  boardModel: z.string(),
  boardKind: boardKindSchema,
  state: z.enum(leaseStates),
  startsAt: isoTimeSchema,
  /** When it ends, or would have ended. */
  endsAt: isoTimeSchema,
  /** When it was handed back, or ran out. */
  endedAt: isoTimeSchema.nullable(),
  /** Whether it is of this project. */
  isOurs: z.boolean(),
  /** Whether it is the asker's own: they alone load and write. */
  isMine: z.boolean(),
  /** Who has it; null: of another project, or of an installation without accounts. */
  person: z.string().nullable(),
  purpose: z.string(),
  /** By when its holder must do something with the board, or it goes on to whoever waits; null: it is theirs to the end. */
  acceptBy: isoTimeSchema.nullable(),
  /** What its holder had loaded last, and how that stands; null: nothing. */
  firmware: z
    .object({
      artifactDigest: digestSchema,
      state: slotStateSchema,
      problem: problemSchema.nullable(),
    })
    .nullable(),
});
/** Somebody's time with a board. */
export type Lease = z.infer<typeof leaseSchema>;

/** Somebody who waits for a board. Of other projects only the place is told. */
export const leaseWaitSchema = z.object({
  /** Null: of another project. */
  id: z.string().nullable(),
  /** Null: any board of the model. */
  boardId: z.string().nullable(),
  boardName: z.string().nullable(),
  boardModel: z.string(),
  boardKind: boardKindSchema,
  minutes: z.number().int(),
  /** 1: next. */
  place: z.number().int(),
  since: isoTimeSchema,
  /** When the board comes to them, if all who have it before keep it to the end; null: nobody can tell. */
  expectedAt: isoTimeSchema.nullable(),
  isOurs: z.boolean(),
  isMine: z.boolean(),
  person: z.string().nullable(),
});
/** A place in a waiting list. */
export type LeaseWait = z.infer<typeof leaseWaitSchema>;

/** Which leases: of a time, of a board; without a word those that have not ended. */
export const leaseQuerySchema = z.strictObject({
  board: z.string().max(200).optional(),
  /** Those that end after it; left out: those that have not ended. */
  from: isoTimeSchema.optional(),
  /** Those that begin before it. */
  to: isoTimeSchema.optional(),
  /** Of this project alone. */
  ours: z.enum(["true", "false"]).optional(),
});
/** Which leases are asked for. */
export type LeaseQuery = z.infer<typeof leaseQuerySchema>;

/** Leases in the order of their beginnings, with what the installation allows. */
export const leaseListSchema = z.object({
  items: z.array(leaseSchema),
  nextCursor: z.null(),
  limits: leaseLimitsSchema,
  /** The asker's own leases of the last day that went on to somebody who waited, since nothing was done with the board. */
  passedOn: z.array(z.object({ boardId: z.string(), boardName: z.string(), at: isoTimeSchema })),
});
/** Leases, what the installation allows, and which went on to others. */
export type LeaseList = z.infer<typeof leaseListSchema>;

/** Whose place in the waiting lists: of one board and its model, or all. */
export const leaseWaitQuerySchema = z.strictObject({ board: z.string().max(200).optional() });
