import { z } from "zod";

/** How designs for a part are built: by which open project, and what it calls the part. */
const flowSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("icestorm"),
    /** nextpnr-ice40 device switch without dashes: `up5k`. */
    device: z.string(),
    package: z.string(),
    synthArgs: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal("trellis"),
    /** nextpnr-ecp5 device switch without dashes: `um5g-85k`. */
    device: z.string(),
    package: z.string(),
    speed: z.number().int().min(6).max(8),
  }),
  z.strictObject({
    kind: z.literal("apicula"),
    device: z.string(),
    synthArgs: z.array(z.string()),
    /** `--vopt` of nextpnr, besides the pin file. */
    placeOptions: z.array(z.string()),
    packArgs: z.array(z.string()),
    /** What the rPLL calls the device; null where the tools know no PLL of it. */
    pll: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("oxide"), device: z.string() }),
  /** A CPU: nothing is built. */
  z.strictObject({ kind: z.literal("cpu") }),
  z.strictObject({
    kind: z.literal("vivado"),
    /** As Vivado calls the part: `xc7a35tcpg236-1`. */
    device: z.string(),
    /** The family that Yosys estimates with. */
    synthesis: z.enum(["xc7", "xcup"]),
  }),
  z.strictObject({ kind: z.literal("quartus"), device: z.string() }),
]);
/** The tools that build for a part, told apart by `kind`. */
export type Flow = z.infer<typeof flowSchema>;

const resourcesSchema = z.strictObject({
  /** Logic cells as the family counts them. */
  lut: z.number().int().nonnegative(),
  lutType: z.string(),
  ff: z.number().int().nonnegative(),
  bramBlocks: z.number().int().nonnegative(),
  bramBlockBits: z.number().int().nonnegative(),
  dsp: z.number().int().nonnegative(),
  spramBits: z.number().int().nonnegative(),
});

/** An FPGA (or CPU) in its package: how it is built for, and what it has. */
export const partSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** `ice40`, `ecp5`, `gowin`, `nexus`, `xilinx7`, `usplus`, `alveo`, `cyclone5`, `cpu`. */
  family: z.string(),
  package: z.string(),
  flow: flowSchema,
  resources: resourcesSchema,
  sources: z.array(z.string()).min(1),
});
/** A part of the catalogue; boards name it by `id`. */
export type Part = z.infer<typeof partSchema>;

/** A program that loads bitstreams over a cable, with its arguments. */
export const programmerSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  command: z.string(),
  /** Of one load; `${file}`, `${device}` and `${cable}` are filled in by the board server. */
  args: z.array(z.string()),
  sources: z.array(z.string()).min(1),
});
/** How bitstreams come onto boards. */
export type Programmer = z.infer<typeof programmerSchema>;

/** What makes a pin active; `unknown` where no source says it: such a LED is decoration, such a button unused. */
const polaritySchema = z.enum(["high", "low", "unknown"]);

/** Outline and furniture for the drawing, in millimetres from the top left. Proportions matter, not exact places. */
const drawingSchema = z.strictObject({
  widthMm: z.number().positive(),
  heightMm: z.number().positive(),
  package: z.enum(["qfn", "bga", "qfp", "die", "card"]),
  pinsPerSide: z.number().int().positive(),
  chipMm: z.number().positive(),
  usb: z.enum(["left", "right", "top", "bottom", "none"]),
  headers: z.array(z.enum(["top", "bottom", "left", "right"])),
  leds: z.number().int().nonnegative(),
});
/** What the picture of a board is made of. */
export type Drawing = z.infer<typeof drawingSchema>;

const usbIdSchema = z.string().regex(/^[0-9a-f]{4}$/);

/** What a board says of itself on USB. Many share the ids of one bridge chip, and some its product text too. */
const usbSchema = z.strictObject({
  vendorId: usbIdSchema,
  productId: usbIdSchema,
  /** What its product text begins with, one of these; empty where no source says. */
  products: z.array(z.string().min(1)),
  /** Number of the interface that is the design's serial line; null where the line is another device, or not known. */
  serialInterface: z.number().int().nonnegative().nullable(),
});

/** A board model as its JSON file describes it; the part and the programmer are named by id. */
export const boardEntrySchema = z.strictObject({
  id: z.string(),
  /** What other projects call it, where that is another word. */
  aliases: z.array(z.string().regex(/^[a-z0-9-]+$/)).optional(),
  /** Who served a model from a real one, when, and with what; left out: nobody yet. */
  verifiedOnHardware: z.string().min(1).optional(),
  name: z.string(),
  vendor: z.string(),
  part: z.string(),
  /** The programmer and this board's arguments for it; null where none is known. */
  programmer: z.strictObject({ id: z.string(), args: z.array(z.string()) }).nullable(),
  clocks: z.array(
    z.strictObject({
      name: z.string(),
      /** A differential pair is `P,N`. */
      pin: z.string(),
      hz: z.number().int().positive(),
      ioStandard: z.string().optional(),
    }),
  ),
  /** Clocks a design may run at, highest first: the ladder of a plan is cut from it. */
  standardClocksHz: z.array(z.number().int().positive()),
  links: z.array(
    z.discriminatedUnion("kind", [
      z.strictObject({
        kind: z.literal("uart"),
        rx: z.string(),
        tx: z.string(),
        baud: z.number().int().positive(),
        onboard: z.boolean(),
        /** Where it is not the board's. */
        ioStandard: z.string().optional(),
      }),
      /** A processor on the same chip; Vivado's name of the board says how it is wired, null where no source gives one. */
      z.strictObject({ kind: z.literal("axi"), boardPart: z.string().nullable() }),
      /** A card in a host, by the platform that its vendor loads on it. */
      z.strictObject({ kind: z.literal("pcie"), platform: z.string() }),
      z.strictObject({ kind: z.literal("memory") }),
    ]),
  ),
  /** How it shows itself on USB; left out where no source says. */
  usb: usbSchema.optional(),
  resetPin: z.strictObject({ pin: z.string(), active: polaritySchema }).nullable(),
  leds: z.array(z.strictObject({ pin: z.string(), active: polaritySchema })),
  ioStandard: z.string().nullable(),
  drawing: drawingSchema,
  /** What no second source confirms, and where sources disagree. */
  doubts: z.array(z.string()),
  notes: z.string(),
  sources: z.array(z.string()).min(1),
});

/** A file of `boards/data/boards`, before its part and programmer are joined to it. */
export type BoardEntry = z.infer<typeof boardEntrySchema>;

/** A board model of the catalogue with its part and programmer: what engines plan for. */
export type BoardModel = Omit<BoardEntry, "part" | "programmer"> & {
  readonly part: Part;
  readonly programmer: Programmer | null;
};
