/** A job to be put on the queue. The payload holds ids only. */
export interface OutboxRow {
  readonly id: bigint;
  readonly queue: "build" | "inspect";
  readonly jobId: string;
  readonly payload: Readonly<Record<string, string>>;
}
