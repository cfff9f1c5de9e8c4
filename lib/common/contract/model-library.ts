import { z } from "zod";
import { problemSchema } from "./errors";
import { countsOf, formatSchema, listFilter, several, upAndDown } from "./lists";
import { inspectionSchema, tensorSpecSchema } from "./models";
import { digestSchema, isoTimeSchema, nameSchema } from "./names";
import { pageQuerySchema } from "./pages";
import { buildStateSchema, endpointStateSchema } from "./states";

/** `unread`: it was built before what is in a model was kept. */
export const modelStates = ["readable", "unread", "unreadable", "archived"] as const;
const modelStateSchema = z.enum(modelStates);
/** Whether it is known what is in a model. */
export type ModelState = z.infer<typeof modelStateSchema>;

/** What a model's source gave when it was looked at again. */
const lookedAgainSchema = z.object({
  at: isoTimeSchema,
  /** Null where nothing could be had. */
  digest: digestSchema.nullable(),
  problem: problemSchema.nullable(),
});
/** The last look at a source. */
export type LookedAgain = z.infer<typeof lookedAgainSchema>;

/** What is known of any version of a model, whether it was read or not. */
const modelEntrySchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  digest: digestSchema,
  sizeBytes: z.number().int().nullable(),
  state: modelStateSchema,
  /** Whether its bytes lie in our store, so that they can be had again. */
  stored: z.boolean(),
  /** Whether its source gave no other bytes since. */
  newest: z.boolean(),
  createdAt: isoTimeSchema,
  seenAt: isoTimeSchema,
});

/** A model as a list shows it: its newest version, and what came of all. */
export const listedModelSchema = modelEntrySchema.extend({
  format: z.string().nullable(),
  inputs: z.array(tensorSpecSchema),
  outputs: z.array(tensorSpecSchema),
  parameters: z.number().int().nullable(),
  /** Versions of its source, this one among them. */
  versions: z.number().int(),
  /** Of this version. */
  builds: z.number().int(),
  endpoints: z.number().int(),
  /** Names that versions of its source carry, in their order, with the version of each. */
  aliases: z.array(z.object({ name: z.string(), modelId: z.string() })),
});
/** A row of the list of models. */
export type ListedModel = z.infer<typeof listedModelSchema>;

/** A version of the same source. */
const modelVersionSchema = modelEntrySchema
  .pick({ id: true, digest: true, sizeBytes: true, state: true, newest: true, createdAt: true })
  .extend({ seenAt: isoTimeSchema, builds: z.number().int(), aliases: z.array(z.string()) });

/** A version of a model with all that is known of it; what is in it where it was read. */
export const modelDetailSchema = modelEntrySchema.extend({
  ...inspectionSchema.omit({ digest: true, sizeBytes: true }).partial().shape,
  archivedAt: isoTimeSchema.nullable(),
  problem: problemSchema.nullable(),
  looked: lookedAgainSchema.nullable(),
  /** Names that this version carries, such as `champion`. */
  aliases: z.array(z.string()),
  versions: z.array(modelVersionSchema),
  endpoints: z.array(
    z.object({
      name: z.string(),
      state: endpointStateSchema,
      engine: z.string(),
      boardModel: z.string(),
      boardKind: z.enum(["simulated", "cpu", "physical"]),
    }),
  ),
  /** By state, of this version. */
  builds: z.array(z.object({ state: buildStateSchema, count: z.number().int() })),
});
/** What the page of a model shows. */
export type ModelDetail = z.infer<typeof modelDetailSchema>;

/** Which of all models: `kind` is the format of the file. */
export const modelFilterSchema = z.strictObject({
  state: several(modelStateSchema),
  kind: several(z.string().min(1).max(63)),
  search: listFilter.search,
  since: listFilter.since,
});
/** Which models a list holds; without a state, those that are not archived. */
export type ModelFilter = Partial<z.output<typeof modelFilterSchema>>;

/** What models are ordered by, falling with a minus. */
const modelSorts = upAndDown(["created", "name", "size"]);
/** How a list of models is ordered. */
export type ModelSort = (typeof modelSorts)[number];

/** What a list of models is asked with. */
export const modelListQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  ...modelFilterSchema.shape,
  sort: z.enum(modelSorts).default("-created"),
  format: formatSchema,
});

/** Models by state, and the formats that there are. */
export const modelListCountsSchema = countsOf(modelStateSchema);
/** How many models are in each state. */
export type ModelListCounts = z.infer<typeof modelListCountsSchema>;

/** A model as exports tell it, in the order of their columns. */
export const exportedModelSchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  state: modelStateSchema,
  format: z.string().nullable(),
  sizeBytes: z.number().int().nullable(),
  parameters: z.number().int().nullable(),
  digest: digestSchema,
  createdAt: isoTimeSchema,
});
/** A row of an export of models. */
export type ExportedModel = z.infer<typeof exportedModelSchema>;

/** Asks for a model at an address to be read and kept in the list; its bytes stay where they are. */
export const newModelSourceSchema = z.strictObject({ url: z.string().min(1).max(2048) });

/** What a look at a source came to. */
export const sourceLookSchema = z.object({
  /** Of the version that the source gives now. */
  id: z.string(),
  digest: digestSchema,
  /** Whether it gives other bytes than it did. */
  changed: z.boolean(),
});
/** The answer to a look at a source. */
export type SourceLook = z.infer<typeof sourceLookSchema>;

/** A name for one version of a model. */
export const newAliasSchema = z.strictObject({ name: nameSchema });

/** Puts a model out of lists, or back. */
export const archiveModelSchema = z.strictObject({ archived: z.boolean().default(true) });
