import { z } from "zod";

const portSchema = z.string().startsWith("/").max(300);

/** A device on USB of a board server's host that may be a board. */
export const sightingSchema = z.strictObject({
  /** Stays with the device: its ids and serial number, or the USB socket where it has none. */
  key: z.string().min(1).max(200),
  /** What it calls itself. */
  product: z.string().max(200),
  serialNumber: z.string().max(200).nullable(),
  /** Its own serial line, as a path of that host; null where it has none. */
  serialPort: portSchema.nullable(),
  /** What it may be, the likeliest first. */
  boardModels: z.array(z.string()).min(1).max(50),
});
/** A USB device as one look at the host's sockets shows it. */
export type Sighting = z.infer<typeof sightingSchema>;

/** What a host has on its sockets. */
export const surroundingsSchema = z.strictObject({
  sightings: z.array(sightingSchema).max(64),
  /** Every serial line of the host: a board's may be on an adapter of its own. */
  serialPorts: z.array(portSchema).max(64),
});
/** All that a board server sees of its host. */
export type Surroundings = z.infer<typeof surroundingsSchema>;

/** A sighting that became a board: what its server is told. */
export const adoptedBoardSchema = z.strictObject({
  /** The board's name on its server. */
  key: z.string(),
  /** Key of the sighting. */
  sighting: z.string(),
  boardModel: z.string(),
  serialPort: portSchema,
});
/** A device that somebody said is a board. */
export type AdoptedBoard = z.infer<typeof adoptedBoardSchema>;

/** A sighting as the portal shows it. */
export const seenDeviceSchema = sightingSchema.extend({
  serverId: z.string(),
  serverName: z.string(),
  /** Lines that could be its, where it has none of its own. */
  serialPorts: z.array(z.string()),
  /** The board that it was adopted as; null while it is not. */
  adoptedAs: z.strictObject({ key: z.string(), boardModel: z.string() }).nullable(),
});
/** A device with the board models that it may be, for people to choose. */
export type SeenDevice = z.infer<typeof seenDeviceSchema>;

const nameOfSightingSchema = z.strictObject({
  serverId: z.string(),
  sighting: z.string().max(200),
});

/** Makes a board of a sighting. */
export const newAdoptionSchema = nameOfSightingSchema.extend({
  boardModel: z.string(),
  /** Needed where the device has no line of its own. */
  serialPort: z.string().max(300).optional(),
});
/** The word of a person that a device is a board. */
export type NewAdoption = z.infer<typeof newAdoptionSchema>;

/** Gives an adopted board up again. */
export const releaseSchema = nameOfSightingSchema;
/** Names the adopted board to give up. */
export type Release = z.infer<typeof releaseSchema>;
