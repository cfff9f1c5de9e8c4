export type Form = "JSON" | "binary" | "gRPC";

/** A server of the net under measurement. */
export interface Server {
  readonly name: string;
  /** Where it takes each form; absent: it does not. */
  readonly ports: Readonly<Partial<Record<Form, number>>>;
  close(): Promise<void>;
}
