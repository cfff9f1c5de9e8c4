import type { Part } from "@/boards";
import type { BitstreamHeader } from "../../firmware";

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
