import { type AppError, errorCodes, type Reason, toAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";

/** Bytes that a status text may have: it travels in a header. */
const longestText = 1000;

/** What ends a call: the number of gRPC, and its text. */
export interface Status {
  readonly code: number;
  readonly text: string;
  readonly reason: Reason;
}

/** The gRPC status of whatever was thrown; what is our own fault is logged, and told without its cause. */
export function statusOf(thrown: unknown): Status {
  const error = toAppError(thrown);
  if (error.code === "internal") logger().error({ err: thrown }, "call failed");
  return { code: codeOf(error), text: textOf(error), reason: error.reason };
}

/** The message of an error as `grpc-message` can carry it: one line of limited length. */
export function textOf({ message }: AppError): string {
  return message.replace(/\s+/g, " ").slice(0, longestText);
}

function codeOf({ code, reason }: AppError): number {
  // A body that is too large is its own reason over HTTP only.
  return reason === "ENCODING_UNSUPPORTED" ? errorCodes.unimplemented.grpc : errorCodes[code].grpc;
}
