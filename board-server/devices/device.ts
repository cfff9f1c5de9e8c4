import type { FileRole, Vectors } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import type { LoadCommand } from "@/lib/server/board-protocol";

/** What one inference took inside the board server, nanoseconds; cycles as the core itself counted them. */
export interface DeviceTiming {
  readonly hostNs: number;
  readonly computeNs: number;
  readonly cycles?: number;
  readonly clockHz?: number;
  readonly simulated?: boolean;
}

/** What a device answered to one batch. */
export interface DeviceAnswer {
  readonly outputs: readonly Tensor[];
  /** Elements of each row's inputs that its grid does not hold; null or absent: none. */
  readonly clipped?: readonly number[] | null;
  readonly timing: DeviceTiming;
}

/** The serial line of a board as it is: bytes, whatever they mean. */
export interface BoardLine {
  /** Puts bytes on it, and resolves when the board has been silent for a moment or has spoken for a second. */
  send(bytes: Uint8Array): Promise<void>;
  /** Has what the board says told, but for its answers to questions of this server. There is one listener. */
  listen(onBytes: (bytes: Uint8Array) => void): void;
}

/** An artifact on a device, answering. Rows of a batch run in sequence. */
export interface LoadedModel {
  /** Inferences it takes at a time; more wait in the slot's queue. */
  readonly parallel: number;
  /** @throws {AppError} `INFER_INVALID` for inputs that do not fit, `LINK_FAILED`, `INTERNAL`. */
  infer(inputs: readonly Tensor[]): Promise<DeviceAnswer>;
  /**
   * Answers some rows of the vector file.
   * @throws {AppError} `SELF_TEST_FAILED` at the first row that differs.
   */
  selfTest(vectors: Vectors | null): Promise<void>;
  /** Real memory that the model holds, where it can be told. */
  memoryBytes?(): number;
  /**
   * Shows which device it is, for some seconds.
   * @throws {AppError} `BOARD_CANNOT` where none of its lights can be told to; left out: it has none.
   */
  blink?(): Promise<void>;
  /** Tells when the device is lost, and null when it is back and has passed its test again. */
  watch?(listener: (problem: AppError | null) => void): void;
  /** Left out: it is spoken to in another way. */
  readonly line?: BoardLine | undefined;
  /** A Unix socket on which it answers calls of its slot itself, for gateways of this host. */
  direct?(): string | undefined;
  close(): Promise<void>;
}

/** Makes a device out of verified files; one for each kind of board that the server has. */
export type DeviceLoader = (load: {
  readonly command: LoadCommand;
  /** Path of the artifact's file of a role, its bytes verified. */
  readonly file: (role: FileRole) => Promise<string>;
}) => Promise<LoadedModel>;

/** Who wants to hear of a device that can be lost. */
export interface LinkWatcher {
  onLost(problem: AppError): void;
  /** It answers again. What is thrown here sends it away again. */
  onBack(): Promise<void>;
}

/** A core behind its stream port or a shell behind its line: bytes in, bytes out. */
export interface CoreDevice {
  /** True when compute time is a simulator's. */
  readonly simulated: boolean;
  /**
   * Runs rows one after the other.
   * @param rows `count` times the core's input bytes.
   * @returns `count` times the output bytes, and the cycles of all rows together.
   */
  run(rows: Uint8Array, count: number): Promise<CoreAnswer>;
  /** Of devices that a pulled cable can take away. */
  watch?(watcher: LinkWatcher): void;
  /** As `LoadedModel.blink`. */
  blink?(): Promise<void>;
  /** As `LoadedModel.line`. */
  readonly line?: BoardLine;
  /** As `LoadedModel.direct`. */
  direct?(): string | undefined;
  close(): Promise<void>;
}

/** What a core answered: bytes of all rows, cycles by its own counter, and the time that passed here. */
export interface CoreAnswer {
  readonly outputs: Uint8Array;
  readonly cycles: number;
  readonly computeNs: number;
}

/** @throws {AppError} `INFER_INVALID` for bytes that are not so many rows. */
export function requireRows(
  rows: Uint8Array,
  { count, inputBytes }: { readonly count: number; readonly inputBytes: number },
): void {
  if (rows.length === count * inputBytes) return;
  throw fail("INFER_INVALID", `${rows.length} bytes are not ${count} rows of ${inputBytes}`);
}
