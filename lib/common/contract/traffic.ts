import { z } from "zod";
import { isoTimeSchema, nameSchema } from "./names";
import { pageOf, pageQuerySchema } from "./pages";
import { endpointStateSchema } from "./states";

/** Stretches of time that traffic is asked for by name, up to now. */
export const trafficRanges = ["1h", "24h", "30d"] as const;
/** One of them. */
export type TrafficRange = (typeof trafficRanges)[number];

/** A stretch up to now, or one between two moments. */
export const trafficQuerySchema = z
  .strictObject({
    range: z.enum(trafficRanges).optional(),
    from: isoTimeSchema.optional(),
    to: isoTimeSchema.optional(),
  })
  .refine(
    ({ range, from, to }) => (from === undefined ? to === undefined : range === undefined),
    "Either range, or from and perhaps to.",
  );
/** Which stretch of time is asked for. */
export type TrafficQuery = z.output<typeof trafficQuerySchema>;

/** Times within which shares of the requests were answered, milliseconds; null where none was. */
const quantilesSchema = {
  p50Ms: z.number().nullable(),
  p90Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  p999Ms: z.number().nullable(),
};

/** What was counted in a stretch of time. */
const countsSchema = {
  requests: z.number().int(),
  /** Refused or failed by what the caller did: 4xx. */
  clientErrors: z.number().int(),
  /** Failed by what is ours: 5xx. */
  serverErrors: z.number().int(),
  rows: z.number().int(),
  ...quantilesSchema,
};

/** A stretch of a chart: what was counted from `at` on, for `seconds`. */
export const trafficPointSchema = z.object({
  at: isoTimeSchema,
  /** Less than the others in the newest, which has not ended. */
  seconds: z.number(),
  /** Null: nobody counted then. */
  perSecond: z.number().nullable(),
  ...countsSchema,
});
/** A stretch of a chart. */
export type TrafficPoint = z.infer<typeof trafficPointSchema>;

/** Where an answered request's time went in the mean, milliseconds. */
export const timeShareSchema = z.object({
  queueMs: z.number(),
  linkMs: z.number(),
  hostMs: z.number(),
  computeMs: z.number(),
  /** The rest: reading, checking and writing in the gateway. */
  gatewayMs: z.number(),
});
/** Where an answered request's time went in the mean. */
export type TimeShare = z.infer<typeof timeShareSchema>;

/** What an endpoint was asked in a stretch of time. */
export const trafficSchema = z.object({
  from: isoTimeSchema,
  to: isoTimeSchema,
  /** The server's time of the answer. */
  now: isoTimeSchema,
  /** The last minute that any gateway has counted; null: none ever did. */
  countedUntil: isoTimeSchema.nullable(),
  stepS: z.number().int(),
  points: z.array(trafficPointSchema),
  total: z.object({ ...countsSchema, timeShare: timeShareSchema.nullable() }),
  /** Answered requests by their time: buckets that hold some, with their bounds. */
  histogram: z.array(z.object({ fromMs: z.number(), toMs: z.number(), count: z.number().int() })),
  /** Revisions that were asked, newest first; 0: requests that reached none. */
  revisions: z.array(
    z.object({
      revision: z.number().int(),
      total: z.object(countsSchema),
      points: z.array(trafficPointSchema),
    }),
  ),
  /** What was done to the endpoint meanwhile. */
  marks: z.array(
    z.object({
      at: isoTimeSchema,
      kind: z.enum(["switched", "paused", "resumed"]),
      revision: z.number().int().nullable(),
    }),
  ),
});
/** What an endpoint was asked in a stretch of time. */
export type Traffic = z.infer<typeof trafficSchema>;

const several = <T extends z.ZodType<string>>(item: T) =>
  z.preprocess((value) => (value === undefined ? [] : [value].flat()), z.array(item).max(200));

/** Which endpoints' traffic is asked for: those that are named, else a page of all by name. */
export const trafficListQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  name: several(nameSchema),
});

/** What an endpoint was asked in the last half hour. */
export const trafficSummarySchema = z.object({
  name: z.string(),
  state: endpointStateSchema,
  /** Requests of each of the last 30 whole minutes, oldest first; null: nobody counted then. */
  minutes: z.array(z.number().int().nullable()),
  requests: z.number().int(),
  /** Mean of the minutes that were counted; null: none was. */
  perMinute: z.number().nullable(),
  p99Ms: z.number().nullable(),
  /** Of all requests, 0 to 1; null: there was none. */
  errorShare: z.number().nullable(),
});
/** What an endpoint was asked in the last half hour. */
export type TrafficSummary = z.infer<typeof trafficSummarySchema>;

/** A page of them. */
export const trafficPageSchema = pageOf(trafficSummarySchema);

/** How a request came. */
export const requestProtocolSchema = z.enum(["http", "grpc", "v1"]);
/** How a request came. */
export type RequestProtocol = z.infer<typeof requestProtocolSchema>;

/** One of the last requests of an endpoint. */
export const requestRecordSchema = z.object({
  id: z.string(),
  at: isoTimeSchema,
  protocol: requestProtocolSchema,
  /** As HTTP has it, whatever the protocol. */
  status: z.number().int(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  /** 0: it reached none. */
  revision: z.number().int(),
  boardId: z.string().nullable(),
  board: z.string().nullable(),
  latencyMs: z.number(),
  rows: z.number().int(),
  requestId: z.string(),
  /** Whether its body is kept, so that it can be sent again. */
  hasBody: z.boolean(),
});
/** One of the last requests of an endpoint. */
export type RequestRecord = z.infer<typeof requestRecordSchema>;

/** The last requests of an endpoint, newest first. */
export const requestListSchema = z.object({
  items: z.array(requestRecordSchema),
  nextCursor: z.null(),
  /** Whether bodies are kept from now on. */
  keepsPayloads: z.boolean(),
});

/** Which of the last requests. */
export const requestListQuerySchema = z.strictObject({
  outcome: z.enum(["ok", "client", "server"]).optional(),
});

/** A request that was kept, to be sent again. */
export const keptRequestSchema = z.object({
  id: z.string(),
  at: isoTimeSchema,
  revision: z.number().int(),
  protocol: requestProtocolSchema,
  /** V2's JSON; absent where the owner of the endpoint did not want bodies kept. */
  body: z.string().optional(),
});
/** A request that was kept. */
export type KeptRequest = z.infer<typeof keptRequestSchema>;

/** Whether bodies of requests are kept. */
export const payloadsKeptSchema = z.object({ keepsPayloads: z.boolean() });

/** What may happen to an endpoint. */
export const endpointLogKinds = [
  "created",
  "state",
  "revision",
  "switched",
  "board",
  "paused",
  "resumed",
  "payloads_kept",
  "payloads_dropped",
  "opened_to_all",
  "closed_to_tokens",
  "closed_to_owner",
] as const;
const endpointLogKindSchema = z.enum(endpointLogKinds);

/** One thing that happened to an endpoint. */
export const endpointLogEntrySchema = z.object({
  id: z.string(),
  at: isoTimeSchema,
  kind: endpointLogKindSchema,
  /** Of the endpoint, the revision or the slot, as the kind says. */
  state: z.string().nullable(),
  revision: z.number().int().nullable(),
  boardId: z.string().nullable(),
  board: z.string().nullable(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
});
/** One thing that happened to an endpoint. */
export type EndpointLogEntry = z.infer<typeof endpointLogEntrySchema>;

const severalKinds = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z.array(endpointLogKindSchema).max(endpointLogKinds.length),
);

/** Which of what happened: of some kinds, or with a text in its message. */
export const endpointLogQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  kind: severalKinds,
  search: z.string().max(200).optional(),
});
/** Which of what happened to an endpoint. */
export type EndpointLogQuery = z.output<typeof endpointLogQuerySchema>;

/** What happened to an endpoint, newest first. */
export const endpointLogSchema = pageOf(endpointLogEntrySchema);
