import type { Linked } from "@/lib/common/linked";
import type { Tensor } from "@/lib/common/tensor";
import type { Life } from "../intake";
import type { Inference } from "./inference";

/** One request on its way through the scheduler. */
export interface Job extends Linked<Job> {
  readonly id: string;
  /** In the model's order. */
  readonly inputs: readonly Tensor[];
  /** Its share of a call: dimension 0 of its inputs, 1 where nothing is batched. */
  readonly rows: number;
  /** Requests with equal keys may share a call. */
  readonly key: string;
  /** 1 is the most urgent. */
  readonly level: number;
  /** When it came, of the monotonic clock. */
  readonly cameMs: number;
  /** The caller is gone or its time is up. */
  readonly life: Life;
  readonly resolve: (answer: Inference) => void;
  readonly reject: (error: unknown) => void;
  /** The call that carries it; null while it waits. */
  call: Call | null;
}

/** One call to a board, for one request or several. */
export interface Call {
  readonly jobs: readonly Job[];
  /** Callers that still want an answer; without any, the call is given up. */
  wanted: number;
  readonly life: Life;
}
