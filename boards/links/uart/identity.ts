import { fail } from "@/lib/common/errors";
import { PROTOCOL_VERSION } from "./protocol";

/** Fixed-point format at one edge of a core. */
interface EdgeFormat {
  readonly width: number;
  readonly fraction: number;
}

/** What a loaded design says of itself before it answers anything else. */
export interface Identity {
  /** `sha256:<hex>` of the plan the design was built from. */
  readonly planDigest: string;
  readonly core: {
    readonly inputBytes: number;
    readonly outputBytes: number;
    readonly bytesPerOutput: number;
  };
  readonly input: EdgeFormat;
  readonly output: EdgeFormat;
  readonly clockHz: number;
}

/** Bytes of an identity payload; `identity.v` holds exactly these. */
const IDENTITY_BYTES = 48;
const DIGEST_BYTES = 32;

/**
 * The identity payload: plan digest (32), protocol version, bytes per output, input bytes (u16), output bytes (u16),
 * input width and fraction, output width and fraction (fractions signed), clock in Hz (u32), two zeros. Little-endian.
 */
export function encodeIdentity({ planDigest, core, input, output, clockHz }: Identity): Uint8Array {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(planDigest)?.[1];
  if (hex === undefined) throw fail("INTERNAL", `"${planDigest}" is not a SHA-256 digest`);
  const bytes = new Uint8Array(IDENTITY_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < DIGEST_BYTES; i++)
    bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  view.setUint8(32, PROTOCOL_VERSION);
  view.setUint8(33, core.bytesPerOutput);
  view.setUint16(34, core.inputBytes, true);
  view.setUint16(36, core.outputBytes, true);
  view.setUint8(38, input.width);
  view.setInt8(39, input.fraction);
  view.setUint8(40, output.width);
  view.setInt8(41, output.fraction);
  view.setUint32(42, clockHz, true);
  return bytes;
}

/**
 * Reads an identity payload.
 * @throws {AppError} `LINK_FAILED` when it is not one of this protocol.
 */
export function parseIdentity(payload: Uint8Array): Identity {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  if (payload.length !== IDENTITY_BYTES || view.getUint8(32) !== PROTOCOL_VERSION) {
    throw fail("LINK_FAILED", "The board does not identify itself as a Boardwalk design.", {
      hint: "Load the artifact again; the board may still run another design.",
    });
  }
  const hex = [...payload.subarray(0, DIGEST_BYTES)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return {
    planDigest: `sha256:${hex}`,
    core: {
      bytesPerOutput: view.getUint8(33),
      inputBytes: view.getUint16(34, true),
      outputBytes: view.getUint16(36, true),
    },
    input: { width: view.getUint8(38), fraction: view.getInt8(39) },
    output: { width: view.getUint8(40), fraction: view.getInt8(41) },
    clockHz: view.getUint32(42, true),
  };
}

/** The payload is held in tables of sixteen bits: of each bit of a byte, one for sixteen bytes. */
const TABLE_BITS = 16;
const TABLES_PER_BIT = IDENTITY_BYTES / TABLE_BITS;

/** The contents of every `identity_table`, by its index; the bit of address 0 first. */
export function identityTables(identity: Identity): string[] {
  const bytes = [...encodeIdentity(identity)];
  return Array.from({ length: 8 }, (_, bit) =>
    Array.from({ length: TABLES_PER_BIT }, (_, part) =>
      bytes
        .slice(TABLE_BITS * part, TABLE_BITS * (part + 1))
        .map((byte) => (byte >> bit) & 1)
        .join(""),
    ),
  ).flat();
}

/** `tables.v`: the module `identity_table` with these contents. */
export function renderTables(identity: Identity): string {
  const contents = identityTables(identity).join("");
  return `\
// ${identity.planDigest}
module identity_table #(parameter INDEX = 0) (input [3:0] address, output data);
  localparam [${contents.length - 1}:0] CONTENTS = ${contents.length}'b${[...contents].reverse().join("")};
  assign data = CONTENTS[${TABLE_BITS} * INDEX + address];
endmodule
`;
}

/** The same module as a blank. */
export const blankTable = `\
(* blackbox *)
module identity_table #(parameter INDEX = 0) (input [3:0] address, output data);
endmodule
`;

/**
 * `identity.v`: what the shell must know of its core, whatever plan and clock it is of. The module `identity` holds the
 * lengths of a row and, in tables of a fixed shape, the identity payload; the module `request_memory` holds one request,
 * in block RAM.
 */
export function identityModules({ inputBytes, outputBytes }: Identity["core"]): string {
  const addressBits = Math.max(1, Math.ceil(Math.log2(inputBytes)));
  const bits = Array.from({ length: 8 }, (_, bit) => {
    const [low, middle, high] = [0, 1, 2].map((part) => `found[${TABLES_PER_BIT * bit + part}]`);
    return `  assign data[${bit}] = address[5] ? ${high} : address[4] ? ${middle} : ${low};\n`;
  });
  return `\
module identity (
  input [5:0] address, // below ${IDENTITY_BYTES}
  output [7:0] data,
  output [15:0] input_bytes,
  output [15:0] output_bytes
);
  assign input_bytes = 16'd${inputBytes};
  assign output_bytes = 16'd${outputBytes};
  wire [${8 * TABLES_PER_BIT - 1}:0] found;
  genvar i;
  generate
    for (i = 0; i < ${8 * TABLES_PER_BIT}; i = i + 1) begin : tables
      identity_table #(.INDEX(i)) part (.address(address[3:0]), .data(found[i]));
    end
  endgenerate
${bits.join("")}\
endmodule

// One request of ${inputBytes} bytes.
module request_memory (
  input clk,
  input write,
  input [15:0] write_address,
  input [7:0] write_data,
  input [15:0] read_address,
  output reg [7:0] read_data,
  output read_last
);
  (* no_rw_check *) reg [7:0] bytes [0:${2 ** addressBits - 1}];
  assign read_last = read_address[${addressBits - 1}:0] == ${inputBytes - 1};
  always @(posedge clk) begin
    if (write) bytes[write_address[${addressBits - 1}:0]] <= write_data;
    read_data <= bytes[read_address[${addressBits - 1}:0]];
  end
endmodule
`;
}
