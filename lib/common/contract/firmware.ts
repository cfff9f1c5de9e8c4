import { z } from "zod";
import { artifactSchema, proofSchema, resourceUseSchema } from "./artifacts";
import { countsOf, formatSchema, listFilter, several, upAndDown } from "./lists";
import { digestSchema, isoTimeSchema } from "./names";
import { pageQuerySchema } from "./pages";

/** How far an artifact was proven, the best first; a damaged one counts as nothing else. */
export const proofStates = ["proven", "partly", "unproven", "refused", "damaged"] as const;
const proofStateSchema = z.enum(proofStates);
/** How an artifact stands: proven to what boards load, proven above it, not at all, found wrong, or its bytes are. */
export type ProofState = z.infer<typeof proofStateSchema>;

/** What a revision of an endpoint needs an artifact for. */
const artifactUseSchema = z.object({
  endpoint: z.string(),
  revision: z.number().int(),
  /** It answers from it, is being loaded, can be rolled back to, or could not be loaded and never answered. */
  role: z.enum(["serves", "loads", "rollback", "failed"]),
});
/** An endpoint's revision that was made with an artifact. */
export type ArtifactUse = z.infer<typeof artifactUseSchema>;

/** An artifact as a list shows it: what it is, how it stands, and who uses it. */
export const listedArtifactSchema = z.object({
  digest: digestSchema,
  kind: z.enum(["model", "firmware"]),
  engine: z.string(),
  boardModel: z.string(),
  /** Of the model that it was made from. */
  modelUrl: z.string(),
  /** What the file was called, of a model that was uploaded. */
  modelName: z.string().optional(),
  sizeBytes: z.number().int(),
  clockHz: z.number().nullable(),
  resources: z.array(resourceUseSchema),
  state: proofStateSchema,
  /** Versions of the tools that made it, by command. */
  tools: z.record(z.string(), z.string()),
  /** Endpoints of the project that answer from it or are about to, by name. */
  usedBy: z.array(z.string()),
  /** Whether the project keeps it: nothing deletes it then. */
  pinned: z.boolean(),
  buildId: z.string(),
  createdAt: isoTimeSchema,
});
/** A row of the list of firmware. */
export type ListedArtifact = z.infer<typeof listedArtifactSchema>;

/** One artifact with all that is known of it. */
export const artifactDetailSchema = artifactSchema.extend({
  state: proofStateSchema,
  damagedAt: isoTimeSchema.nullable(),
  /** Since when the project keeps it; null: it does not, and it may be deleted. */
  pinnedAt: isoTimeSchema.nullable(),
  /** Why no build takes it, where a later check found it wrong. */
  refused: z.string().nullable(),
  proof: proofSchema.nullable(),
  resources: z.array(resourceUseSchema),
  /** Whether the signature holds under a key of this installation, that key is unknown here, or it does not hold. */
  signed: z.enum(["holds", "unknown_key", "broken"]),
  model: z.object({
    url: z.string(),
    /** What the file was called, if it was uploaded. */
    name: z.string().optional(),
    id: z.string().nullable(),
    digest: digestSchema.nullable(),
  }),
  uses: z.array(artifactUseSchema),
  /** Builds of the project that ended with it. */
  builds: z.number().int(),
  /** Whether other projects refer to it, whose names are nobody's business. */
  shared: z.boolean(),
});
/** What the page of an artifact shows. */
export type ArtifactDetail = z.infer<typeof artifactDetailSchema>;

/** Which of all artifacts. */
export const artifactFilterSchema = z.strictObject({
  state: several(proofStateSchema),
  ...listFilter,
});
/** Which artifacts a list holds; what is empty or absent leaves none out. */
export type ArtifactFilter = Partial<z.output<typeof artifactFilterSchema>>;

/** What artifacts are ordered by, falling with a minus; those without a clock are slower than any other. */
const artifactSorts = upAndDown(["created", "size", "clock"]);
/** How a list of artifacts is ordered. */
export type ArtifactSort = (typeof artifactSorts)[number];

/** What a list of artifacts is asked with. */
export const artifactListQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  ...artifactFilterSchema.shape,
  sort: z.enum(artifactSorts).default("-created"),
  format: formatSchema,
});

/** Artifacts by how they stand. */
export const artifactListCountsSchema = countsOf(proofStateSchema);
/** How many artifacts stand in each way. */
export type ArtifactListCounts = z.infer<typeof artifactListCountsSchema>;

/** An artifact as exports tell it, in the order of their columns. */
export const exportedArtifactSchema = z.object({
  digest: digestSchema,
  kind: z.enum(["model", "firmware"]),
  engine: z.string(),
  boardModel: z.string(),
  state: proofStateSchema,
  sizeBytes: z.number().int(),
  clockHz: z.number().nullable(),
  modelUrl: z.string(),
  /** What the file was called, of a model that was uploaded. */
  modelName: z.string().nullable(),
  pinned: z.boolean(),
  buildId: z.string(),
  createdAt: isoTimeSchema,
});
/** A row of an export of artifacts. */
export type ExportedArtifact = z.infer<typeof exportedArtifactSchema>;

/** Pins an artifact, or lets it go. */
export const pinArtifactSchema = z.strictObject({ pinned: z.boolean().default(true) });

/** What deleting an artifact or a model came to. */
export const deletedSchema = z.object({
  id: z.string(),
  /** Of objects that went at once; what somebody else still needs stays. */
  freedBytes: z.number().int(),
});
/** How much room a deletion made. */
export type Deleted = z.infer<typeof deletedSchema>;
