/** Canonical gRPC codes with their numbers and default HTTP statuses. Source: google.rpc.Code. */
export const errorCodes = {
  cancelled: { grpc: 1, http: 499 },
  unknown: { grpc: 2, http: 500 },
  invalid_argument: { grpc: 3, http: 400 },
  deadline_exceeded: { grpc: 4, http: 504 },
  not_found: { grpc: 5, http: 404 },
  already_exists: { grpc: 6, http: 409 },
  permission_denied: { grpc: 7, http: 403 },
  resource_exhausted: { grpc: 8, http: 429 },
  failed_precondition: { grpc: 9, http: 409 },
  aborted: { grpc: 10, http: 409 },
  out_of_range: { grpc: 11, http: 400 },
  unimplemented: { grpc: 12, http: 501 },
  internal: { grpc: 13, http: 500 },
  unavailable: { grpc: 14, http: 503 },
  data_loss: { grpc: 15, http: 500 },
  unauthenticated: { grpc: 16, http: 401 },
} as const;

/** A canonical code of gRPC, in snake case. */
export type ErrorCode = keyof typeof errorCodes;

/** Whether a word, such as one off the wire, is one of our codes. */
export function isErrorCode(word: unknown): word is ErrorCode {
  return typeof word === "string" && Object.hasOwn(errorCodes, word);
}
