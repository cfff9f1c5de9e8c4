import { z } from "zod";
import { boardKindSchema } from "./boards";
import { labelSchema } from "./labels";
import { digestSchema, isoTimeSchema } from "./names";
import { pageQuerySchema } from "./pages";
import {
  boardStateSchema,
  buildPrioritySchema,
  buildStateSchema,
  endpointStateSchema,
} from "./states";

const mostValues = 20;

/** One value or several of the same parameter: `state=failed&state=timed_out`. */
export const several = <T extends z.ZodType<string>>(item: T) =>
  z.preprocess(
    (value) => (value === undefined ? [] : [value].flat()),
    z.array(item).max(mostValues, `It may come ${mostValues} times.`),
  );

const word = z.string().min(1).max(63);

const agePattern = /^[1-9]\d{0,3}[hd]$/;

/** A moment, or how long ago one was: `2026-01-31T12:00:00Z`, `24h`, `7d`. */
export const sinceSchema = z.union([isoTimeSchema, z.string().regex(agePattern)], {
  error: "It is a moment such as 2026-01-31T12:00:00Z, or an age such as 24h or 7d.",
});

/** Text to find in names and in addresses of models, whatever its case. */
export const searchSchema = z
  .string()
  .max(200)
  .regex(/^\P{Cc}*$/u, "It holds no control characters.")
  .transform((text) => text.trim());

/** What every list is filtered by, beside its states. */
export const listFilter = {
  engine: several(word),
  /** Ids of board models. */
  board: several(word),
  search: searchSchema.optional(),
  since: sinceSchema.optional(),
};

/** Which of all builds: those of any of the states, and of any of the engines, and so on. */
export const buildFilterSchema = z.strictObject({
  state: several(buildStateSchema),
  ...listFilter,
  label: several(labelSchema),
});
/** Which builds a list holds; what is empty or absent leaves none out. */
export type BuildFilter = Partial<z.output<typeof buildFilterSchema>>;

/** Which of all endpoints; engine, board and model are those of the revision that it shows. */
export const endpointFilterSchema = z.strictObject({
  state: several(endpointStateSchema),
  ...listFilter,
});
/** Which endpoints a list holds; what is empty or absent leaves none out. */
export type EndpointFilter = Partial<z.output<typeof endpointFilterSchema>>;

/** Which of all boards of the installation. */
export const boardFilterSchema = z.strictObject({
  state: several(boardStateSchema),
  kind: several(boardKindSchema),
  /** Ids of board models. */
  board: several(word),
  /** Names of board servers. */
  server: several(word),
  search: searchSchema.optional(),
});
/** Which boards a list holds; what is empty or absent leaves none out. */
export type BoardFilter = Partial<z.output<typeof boardFilterSchema>>;

/** Each key rising and, with a minus, falling. */
export const upAndDown = <T extends string>(keys: readonly T[]) =>
  keys.flatMap((key): (T | `-${T}`)[] => [key, `-${key}`]);

/** What builds are ordered by, falling with a minus. One that has not ended is shorter than any other. */
export const buildSorts = upAndDown(["created", "state", "name", "duration"]);
/** How a list of builds is ordered. */
export type BuildSort = (typeof buildSorts)[number];

/** What endpoints are ordered by, falling with a minus. */
export const endpointSorts = upAndDown(["created", "state", "name"]);
/** How a list of endpoints is ordered. */
export type EndpointSort = (typeof endpointSorts)[number];

/** What boards are ordered by, falling with a minus; `kind` has hardware first. */
export const boardSorts = upAndDown(["kind", "name", "state", "server", "created"]);
/** How a list of boards is ordered. */
export type BoardSort = (typeof boardSorts)[number];

/** `csv` and `json` are everything that the filter holds, in one answer that is streamed; a page has no format. */
export const formatSchema = z.enum(["csv", "json"]).optional();

/** What a list of builds is asked with. */
export const buildListQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  ...buildFilterSchema.shape,
  sort: z.enum(buildSorts).default("-created"),
  format: formatSchema,
});

/** What a list of endpoints is asked with. */
export const endpointListQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  ...endpointFilterSchema.shape,
  sort: z.enum(endpointSorts).default("name"),
  format: formatSchema,
});

/** What a list of boards is asked with. */
export const boardListQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  ...boardFilterSchema.shape,
  sort: z.enum(boardSorts).default("kind"),
  format: formatSchema,
});

/** How many of a list are in each state, whichever states are chosen; and what there is to filter by. */
export const countsOf = <T extends string>(states: z.ZodType<T>) =>
  z.object({
    states: z.array(z.object({ state: states, count: z.number().int() })),
    /** Engines and board models of all that there is, with nothing left out. */
    engines: z.array(z.string()),
    boards: z.array(z.string()),
    /** Of models: the formats that there are. */
    kinds: z.array(z.string()).optional(),
  });

/** Builds by state. */
export const buildListCountsSchema = countsOf(buildStateSchema).extend({
  /** Labels that any build has, the first two hundred. */
  labels: z.array(z.string()),
});
/** How many builds are in each state. */
export type BuildListCounts = z.infer<typeof buildListCountsSchema>;
/** Endpoints by state. */
export const endpointListCountsSchema = countsOf(endpointStateSchema);
/** How many endpoints are in each state. */
export type EndpointListCounts = z.infer<typeof endpointListCountsSchema>;

/** Boards by state, what there is to filter by, and how many places they have. */
export const boardListCountsSchema = z.object({
  states: z.array(z.object({ state: boardStateSchema, count: z.number().int() })),
  kinds: z.array(boardKindSchema),
  boards: z.array(z.string()),
  servers: z.array(z.string()),
  /** Of the boards that match; a place of a drained board, or of one that is not heard, is not free. */
  slots: z.object({ all: z.number().int(), free: z.number().int() }),
  /** How many simulated boards the board servers that are heard run at once, and how many there are. */
  simulated: z.object({ capacity: z.number().int(), used: z.number().int() }),
});
/** How many boards are in each state, and what room they have. */
export type BoardListCounts = z.infer<typeof boardListCountsSchema>;

/** A build as exports tell it, in the order of their columns. */
export const exportedBuildSchema = z.object({
  id: z.string(),
  endpoint: z.string().nullable(),
  state: buildStateSchema,
  reused: z.boolean(),
  engine: z.string(),
  boardModel: z.string(),
  boardKind: boardKindSchema,
  modelUrl: z.string(),
  /** What the file was called, of a model that was uploaded. */
  modelName: z.string().nullable(),
  priority: buildPrioritySchema,
  /** With a comma between them. */
  labels: z.string(),
  artifactDigest: digestSchema.nullable(),
  /** Of a build that failed: the reason that clients branch on, and why in words. */
  reason: z.string().nullable(),
  message: z.string().nullable(),
  createdAt: isoTimeSchema,
  startedAt: isoTimeSchema.nullable(),
  endedAt: isoTimeSchema.nullable(),
  durationMs: z.number().int().nullable(),
});
/** A row of an export of builds. */
export type ExportedBuild = z.infer<typeof exportedBuildSchema>;

/** An endpoint as exports tell it, in the order of their columns. */
export const exportedEndpointSchema = z.object({
  name: z.string(),
  state: endpointStateSchema,
  reason: z.string().nullable(),
  engine: z.string(),
  boardModel: z.string(),
  boardKind: boardKindSchema,
  modelUrl: z.string(),
  revision: z.number().int(),
  artifactDigest: digestSchema.nullable(),
  url: z.string(),
  createdAt: isoTimeSchema,
  readyAt: isoTimeSchema.nullable(),
});
/** A row of an export of endpoints. */
export type ExportedEndpoint = z.infer<typeof exportedEndpointSchema>;

/** A board as exports tell it, in the order of their columns. */
export const exportedBoardSchema = z.object({
  id: z.string(),
  name: z.string(),
  boardModel: z.string(),
  kind: boardKindSchema,
  state: boardStateSchema,
  drain: z.string().nullable(),
  server: z.string(),
  heartbeatAt: isoTimeSchema.nullable(),
  slots: z.number().int(),
  freeSlots: z.number().int(),
  /** Of this project, with spaces between them. */
  endpoints: z.string(),
  createdAt: isoTimeSchema,
});
/** A row of an export of boards. */
export type ExportedBoard = z.infer<typeof exportedBoardSchema>;
