import type { BitstreamHeader } from "@/boards/bitstreams";
import type { Digest, FileRole, Maker, Manifest, Report } from "@/lib/common/contract";

/** The JSON beside a BondMachine bitstream, in its own words. */
export interface LegacyMetadata {
  readonly board: string;
  readonly n_inputs: number;
  readonly n_outputs: number;
  readonly predictor: "bondmachine" | "hls4ml";
  readonly arch?: string | undefined;
  readonly flavor?: "axist" | "aximm" | undefined;
  readonly benchcore?: boolean | undefined;
}

/** What an archive of an artifact held, every byte of it as the signed manifest says. */
export interface Archive {
  /** Of the manifest: the artifact's name. */
  readonly digest: Digest;
  readonly manifest: Manifest;
  readonly maker: Maker;
  readonly files: ReadonlyMap<FileRole, Uint8Array>;
}

/** An artifact of an installation, as its archive had it: every byte is the one that its signed manifest names. */
export interface ArchivedArtifact extends Archive {
  readonly kind: "archive";
  /** Its own report, which its maker vouches for. */
  readonly report: Report;
}

/** A bitstream and nothing besides. */
export interface BareBitstream {
  readonly kind: "bitstream";
  readonly header: BitstreamHeader;
}

/** The three files that BondMachine's original web interface keeps of a firmware. */
export interface LegacyTriple {
  readonly kind: "bondmachine";
  readonly header: BitstreamHeader;
  readonly metadata: LegacyMetadata;
  readonly files: {
    readonly bit: Uint8Array;
    readonly hwh: Uint8Array;
    readonly json: Uint8Array;
  };
}

/** What was built elsewhere, read and judged, never run. */
export type Firmware = ArchivedArtifact | BareBitstream | LegacyTriple;
