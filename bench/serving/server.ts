export type Form = "JSON" | "binary" | "gRPC";

/** A server of the net under measurement. */
export interface Server {
  readonly name: string;
  /** Where it takes each form; absent: it does not. */
  readonly ports: Readonly<Partial<Record<Form, number>>>;
  /** Where it tells of itself, if it is ours. */
  readonly metricsPort?: number;
  /** The processes that it consists of, each with all below it. */
  readonly roots: () => readonly number[];
  close(): Promise<void>;
}
