import { z } from "zod";
import { manifestSchema, signatureSchema } from "./artifacts";
import { attachedBoardSchema, trialReportSchema } from "./attachments";
import { taskCommandSchema, taskReportSchema } from "./board-tasks";
import { boardKindSchema } from "./boards";
import {
  callReportSchema,
  inferCommandSchema,
  lineCommandSchema,
  lineReportSchema,
} from "./lease-calls";
import { digestSchema } from "./names";
import { adoptedBoardSchema, surroundingsSchema } from "./sightings";
import { slotStateSchema } from "./states";

/** How the gateway reaches a board server for tensors. */
export const tensorAddressSchema = z.union([
  z.strictObject({ kind: z.literal("unix"), path: z.string().max(100) }),
  z.strictObject({ kind: z.literal("tcp"), host: z.string(), port: z.number().int() }),
  z.strictObject({ kind: z.literal("tls"), host: z.string(), port: z.number().int() }),
]);
/** A socket path on the same host, a TCP address of loopback, or one of another host, under TLS with keys that both sides know. */
export type TensorAddress = z.infer<typeof tensorAddressSchema>;

/** How a gateway dials a board server: one of another host with the key that it has to show. */
export const dialAddressSchema = z.union([
  z.strictObject({ kind: z.literal("unix"), path: z.string().max(100) }),
  z.strictObject({ kind: z.literal("tcp"), host: z.string(), port: z.number().int() }),
  z.strictObject({
    kind: z.literal("tls"),
    host: z.string(),
    port: z.number().int(),
    /** Ed25519, base64 of the raw 32 bytes. */
    publicKey: z.string(),
  }),
]);
/** An address with the key that was pinned when the server enrolled, where it is another host's. */
export type DialAddress = z.infer<typeof dialAddressSchema>;

/** A board the server has of its own accord: CPUs and, later, cables. Simulated ones are made by command. */
export const offeredBoardSchema = z.strictObject({
  /** Stable on that server: `cpu-0`. */
  key: z.string(),
  boardModel: z.string(),
  kind: boardKindSchema,
  /** Firmware that it can load; left out: Boardwalk's own. */
  loads: z.literal("bondmachine").optional(),
  slots: z.number().int().min(1).max(64),
});

/** A board as its server offers it, before the portal has given it an id. */
export type OfferedBoard = z.infer<typeof offeredBoardSchema>;

/** The public half of a key of the installation, Ed25519, base64 of the raw 32 bytes. */
export const signingKeySchema = z.strictObject({
  keyId: z.string(),
  publicKey: z.string(),
  /** What the key before it signed: without it no board server takes a key beside those that it has. */
  endorsement: z.strictObject({ keyId: z.string(), signature: z.string() }).optional(),
});
/** A public key with the voucher of the key before it. */
export type SigningKey = z.infer<typeof signingKeySchema>;

/** Simulated boards of one board server. */
export const mostSimulated = 10_000;

/** What a board server sends once, with a single-use code, to become known. */
export const enrolRequestSchema = z.strictObject({
  code: z.string(),
  name: z.string().max(63),
  /** Ed25519, base64 of the raw 32 bytes. */
  publicKey: z.string(),
  address: tensorAddressSchema,
  boards: z.array(offeredBoardSchema),
  /** How many simulated boards it would run at once. */
  simulatedCapacity: z.number().int().min(0).max(mostSimulated),
});
/** The enrolment of one board server. */
export type EnrolRequest = z.infer<typeof enrolRequestSchema>;

/** The answer to an enrolment: the server's id, its first nonce, and the keys that it pins for good. */
export const enrolResponseSchema = z.strictObject({
  serverId: z.string(),
  nonce: z.string(),
  /** Keys that may sign artifacts. */
  signingKeys: z.array(signingKeySchema),
  /** Keys that may sign commands. */
  controlKeys: z.array(signingKeySchema),
});
/** What a board server keeps of its enrolment. */
export type EnrolResponse = z.infer<typeof enrolResponseSchema>;

/** Load one revision into one slot. Idempotent by `id`; an older `slotEpoch` is refused. */
export const loadCommandSchema = z.strictObject({
  kind: z.literal("load"),
  id: z.string(),
  slotId: z.string(),
  slotEpoch: z.number().int(),
  revisionId: z.string(),
  endpointName: z.string(),
  /** V2 version text: the revision's ordinal. */
  version: z.string(),
  board: z.strictObject({
    id: z.string(),
    /** What the server itself calls it; empty for what it makes on demand. */
    key: z.string().default(""),
    boardModel: z.string(),
    kind: boardKindSchema,
    part: z.string().nullable(),
  }),
  artifactDigest: digestSchema,
  manifest: manifestSchema,
  signature: signatureSchema,
});
/** The order to load a revision, with the manifest that it must match. */
export type LoadCommand = z.infer<typeof loadCommandSchema>;

/** Empty a slot; a simulated board goes with it. */
export const unloadCommandSchema = z.strictObject({
  kind: z.literal("unload"),
  id: z.string(),
  slotId: z.string(),
  slotEpoch: z.number().int(),
});

/** The order to empty a slot. */
export type UnloadCommand = z.infer<typeof unloadCommandSchema>;

/** What a board server can be told to do with a slot. Tasks are told only to those that say their version, calls to those that report some. */
export const commandSchema = z.discriminatedUnion("kind", [
  loadCommandSchema,
  unloadCommandSchema,
  taskCommandSchema,
  lineCommandSchema,
  inferCommandSchema,
]);
/** An order for one slot; ids make it safe to carry out twice. */
export type Command = z.infer<typeof commandSchema>;

/** A command as it travels: signed whole, together with the id of the board server that it is for. */
export const signedCommandSchema = z.strictObject({
  command: commandSchema,
  keyId: z.string(),
  signature: z.string(),
});
/** A command with the signature that the board server checks first. */
export type SignedCommand = z.infer<typeof signedCommandSchema>;

/** A slot as its board server sees it. */
export const slotReportSchema = z.strictObject({
  slotId: z.string(),
  slotEpoch: z.number().int(),
  state: slotStateSchema,
  revisionId: z.string().nullable(),
  artifactDigest: digestSchema.nullable(),
  /** The command this state answers to. */
  commandId: z.string().nullable(),
  /** Why a load failed: reason and message of an AppError. */
  problem: z.strictObject({ reason: z.string(), message: z.string() }).nullable(),
});
/** What a board server says of one slot in each poll. */
export type SlotReport = z.infer<typeof slotReportSchema>;

/** Gateways of one installation. */
export const mostGateways = 64;

/** Sent again and again: what the devices say; answered at once if commands wait or something changed, else after `waitS`. */
export const pollRequestSchema = z.strictObject({
  address: tensorAddressSchema,
  boards: z.array(offeredBoardSchema),
  simulatedCapacity: z.number().int().min(0).max(mostSimulated),
  slots: z.array(slotReportSchema),
  /** Left out by a server that looks at no sockets. */
  surroundings: surroundingsSchema.optional(),
  /** Names of the adopted boards that it knows of. */
  adopted: z.array(z.string()).default([]),
  /** Boards at addresses that it knows of, and how far their trials are; left out by a server that has none. */
  attached: z.array(trialReportSchema).max(64).optional(),
  /** Keys of the gateways that it lets call; left out by a server that only those of its own host reach. */
  gateways: z.array(z.string()).max(mostGateways).optional(),
  /** Tasks that it works on or has done; left out where there are none. */
  tasks: z.array(taskReportSchema).max(1000).optional(),
  /** Calls of holders of leases that it works on or has done; left out by a server that takes none. */
  calls: z.array(callReportSchema).max(1000).optional(),
  /** What passed on lines that somebody looks at; left out where nothing did. */
  lines: z.array(lineReportSchema).max(100).optional(),
  waitS: z.number().min(0).max(25),
});
/** One poll: all that a board server knows of itself. */
export type PollRequest = z.infer<typeof pollRequestSchema>;

/** Every board that was adopted on a server, signed together with its id and the nonce of its poll. */
export const signedAdoptionsSchema = z.strictObject({
  boards: z.array(adoptedBoardSchema),
  keyId: z.string(),
  signature: z.string(),
});
/** The whole list of adopted boards; a board that is not in it is given up. */
export type SignedAdoptions = z.infer<typeof signedAdoptionsSchema>;

/** Every board at an address that is attached to a server, signed as adopted boards are. */
export const signedAttachmentsSchema = z.strictObject({
  boards: z.array(attachedBoardSchema),
  keyId: z.string(),
  signature: z.string(),
});
/** The whole list of attached boards; a board that is not in it is given up. */
export type SignedAttachments = z.infer<typeof signedAttachmentsSchema>;

/** Keys of every gateway that may call a server, signed as adopted boards are. */
export const signedGatewaysSchema = z.strictObject({
  /** Ed25519, base64 of the raw 32 bytes each. */
  keys: z.array(z.string()).max(mostGateways),
  keyId: z.string(),
  signature: z.string(),
});
/** The whole list of gateways; one that is not in it may call no more. */
export type SignedGateways = z.infer<typeof signedGatewaysSchema>;

/** The answer to a poll: commands that wait, keys, and the nonce for the next request. */
export const pollResponseSchema = z.strictObject({
  nonce: z.string(),
  commands: z.array(signedCommandSchema),
  adopted: signedAdoptionsSchema,
  /** Left out while there is none, and the server knows of none. */
  attached: signedAttachmentsSchema.optional(),
  /** Left out for a server that says none itself. */
  gateways: signedGatewaysSchema.optional(),
  signingKeys: z.array(signingKeySchema),
  controlKeys: z.array(signingKeySchema),
});
/** What a board server takes from each poll. */
export type PollResponse = z.infer<typeof pollResponseSchema>;
