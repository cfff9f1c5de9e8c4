import type { Part } from "../schema";

/** What a bitstream says of itself. */
export interface BitstreamHeader {
  /** Of the format, as models have theirs: `ice40-bitstream`. */
  readonly format: string;
  /** The chip: by its own name, else by its id or by the size of its configuration. */
  readonly device: string;
  /** The whole name of the part, or of the platform of a card, where the file has it. */
  readonly partName: string | null;
  /** What a tool or a person wrote into it, for people. */
  readonly comments: readonly string[];
}

/** One format of bitstreams: how it is told, read and held against a part. Nothing of it is ever run. */
export interface BitstreamFormat {
  readonly id: string;
  readonly title: string;
  /** What such a file is called in an artifact. */
  readonly fileName: string;
  /** Whether a file begins like one, be it whole or not. */
  recognises(bytes: Uint8Array): boolean;
  /** @throws {AppError} `FIRMWARE_TRUNCATED`, `FIRMWARE_INVALID` */
  read(bytes: Uint8Array): BitstreamHeader;
  fits(header: BitstreamHeader, part: Part): boolean;
}
