import type { Resolve, SourcePolicy } from "@/domain/sources";
import type { ConnectionKind, Places, Secrets } from "@/lib/common/contract";
import type { OpenSource } from "../open-web";

/** A connection whose secret is open, as long as it takes to read from it. */
export interface OpenConnection<K extends ConnectionKind> {
  readonly name: string;
  readonly place: Places[K];
  readonly secret: Secrets[K] | null;
}

/** What sources are read with. */
export interface ReadOptions {
  /** Public hosts, and those that the operator listed. */
  readonly policy: SourcePolicy;
  readonly resolve: Resolve;
  /** PEM of a further certificate authority. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
  readonly limitBytes: number;
}

/** How a kind of connection is read. A kind is a file that makes one of these. */
export interface SourceReader<K extends ConnectionKind> {
  /** Opens an address that the connection leads to. @throws {AppError} As `openWeb`. */
  open(address: string, connection: OpenConnection<K>, options: ReadOptions): Promise<OpenSource>;
  /** Asks for something small and real. Answers what came back, in one sentence. @throws {AppError} As `openWeb`. */
  test(connection: OpenConnection<K>, options: ReadOptions): Promise<string>;
}

/** What somebody can do about a connection of a project that does not open. */
export const mend = "An admin of the project can correct it under Settings, Connections.";
