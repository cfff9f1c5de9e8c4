import type { ErrorCode } from "./codes";

interface ReasonEntry {
  /** The code this reason usually travels with. */
  readonly code: ErrorCode;
  /** HTTP status where it differs from the code's default. */
  readonly http?: number;
}

const reason = (code: ErrorCode, http?: number): ReasonEntry =>
  http === undefined ? { code } : { code, http };

/**
 * Every stable reason of the installation, with the HTTP status the edge answers.
 * Clients branch on these words; they are added, never renamed.
 */
export const reasons = {
  // Requests
  INVALID_JSON: reason("invalid_argument"),
  JSON_TOO_COMPLEX: reason("invalid_argument"),
  DUPLICATE_KEY: reason("invalid_argument"),
  FORBIDDEN_KEY: reason("invalid_argument"),
  NUMBER_OUT_OF_RANGE: reason("invalid_argument"),
  VALIDATION: reason("invalid_argument", 422),
  BODY_TOO_LARGE: reason("resource_exhausted", 413),
  UNSUPPORTED_MEDIA_TYPE: reason("invalid_argument", 415),
  METHOD_NOT_ALLOWED: reason("unimplemented", 405),
  NOT_FOUND: reason("not_found"),
  URL_TOO_LONG: reason("invalid_argument", 414),
  REQUEST_INVALID: reason("invalid_argument"),
  PATH_INVALID: reason("invalid_argument"),
  HEADERS_TOO_LONG: reason("invalid_argument", 431),
  REQUEST_TIMED_OUT: reason("deadline_exceeded", 408),
  HOST_UNKNOWN: reason("permission_denied", 421),
  CSRF: reason("permission_denied"),
  FORBIDDEN: reason("permission_denied"),
  UNAUTHENTICATED: reason("unauthenticated"),
  RATE_LIMITED: reason("resource_exhausted"),
  MEMORY_FULL: reason("resource_exhausted"),
  QUOTA_EXCEEDED: reason("resource_exhausted"),
  QUERY_INVALID: reason("invalid_argument"),
  CURSOR_INVALID: reason("invalid_argument"),
  IDEMPOTENCY_KEY_INVALID: reason("invalid_argument"),
  IDEMPOTENCY_KEY_REUSED: reason("invalid_argument", 422),
  IDEMPOTENCY_IN_FLIGHT: reason("aborted"),
  PRECONDITION_FAILED: reason("failed_precondition", 412),
  STATE_CONFLICT: reason("failed_precondition"),
  STORE_UNAVAILABLE: reason("unavailable"),
  OBJECT_DAMAGED: reason("data_loss", 503),
  INTERNAL: reason("internal"),
  DEADLINE_EXCEEDED: reason("deadline_exceeded"),
  // Names and choices
  NAME_INVALID: reason("invalid_argument", 422),
  NAME_TAKEN: reason("already_exists"),
  EMAIL_TAKEN: reason("already_exists"),
  PROJECT_TAKEN: reason("already_exists"),
  INVITATION_UNKNOWN: reason("not_found", 422),
  ENGINE_UNKNOWN: reason("invalid_argument", 422),
  BOARD_UNKNOWN: reason("invalid_argument", 422),
  COMBINATION_UNSUPPORTED: reason("invalid_argument", 422),
  OPTION_INVALID: reason("invalid_argument", 422),
  BUILD_UNKNOWN: reason("not_found"),
  ENDPOINT_UNKNOWN: reason("not_found"),
  REQUEST_UNKNOWN: reason("not_found"),
  REVISION_UNKNOWN: reason("invalid_argument", 422),
  ARTIFACT_UNKNOWN: reason("not_found"),
  MODEL_ROW_UNKNOWN: reason("not_found"),
  ARTIFACT_IN_USE: reason("failed_precondition", 409),
  ARTIFACT_PINNED: reason("failed_precondition", 409),
  ARTIFACT_DELETED: reason("not_found", 410),
  MODEL_IN_USE: reason("failed_precondition", 409),
  // Where a model comes from
  URL_NOT_ALLOWED: reason("invalid_argument", 422),
  SOURCE_NOT_ALLOWED: reason("invalid_argument", 422),
  SOURCE_UNAVAILABLE: reason("unavailable", 422),
  SOURCE_NOT_FOUND: reason("not_found", 422),
  SOURCE_LOGIN_REFUSED: reason("unauthenticated", 422),
  SOURCE_ACCESS_DENIED: reason("permission_denied", 422),
  SOURCE_TOO_LARGE: reason("resource_exhausted", 413),
  SOURCE_TOO_SLOW: reason("deadline_exceeded", 422),
  SOURCE_TRUNCATED: reason("data_loss", 422),
  SOURCE_DIGEST_MISMATCH: reason("data_loss", 422),
  // What is in a model file
  MODEL_EMPTY: reason("invalid_argument", 422),
  MODEL_TRUNCATED: reason("invalid_argument", 422),
  MODEL_FORMAT_UNKNOWN: reason("invalid_argument", 422),
  MODEL_IS_WEB_PAGE: reason("invalid_argument", 422),
  MODEL_NOT_ALLOWED: reason("invalid_argument", 422),
  MODEL_UNSUPPORTED: reason("invalid_argument", 422),
  MODEL_INVALID: reason("invalid_argument", 422),
  MODEL_TOO_COMPLEX: reason("invalid_argument", 422),
  MODEL_EXTERNAL_DATA: reason("invalid_argument", 422),
  MODEL_WEIGHTS_NOT_FINITE: reason("invalid_argument", 422),
  MODEL_VERSION_UNSUPPORTED: reason("invalid_argument", 422),
  MODEL_CYCLE: reason("invalid_argument", 422),
  MODEL_SHAPE_INVALID: reason("invalid_argument", 422),
  MODEL_WEIGHT_INVALID: reason("invalid_argument", 422),
  OPERATOR_UNKNOWN: reason("invalid_argument", 422),
  QUANTIZER_INVALID: reason("invalid_argument", 422),
  OPERATOR_UNSUPPORTED: reason("invalid_argument", 422),
  FORMAT_HAS_NO_ENGINE: reason("invalid_argument", 422),
  CALIBRATION_MISSING: reason("invalid_argument", 422),
  ARCHIVE_REJECTED: reason("invalid_argument", 422),
  ARCHIVE_INVALID: reason("invalid_argument", 422),
  CARD_INVALID: reason("invalid_argument", 422),
  RANGE_INVALID: reason("invalid_argument", 422),
  ROWS_INVALID: reason("invalid_argument", 422),
  ROWS_MISSING: reason("not_found"),
  INSPECTION_TIMED_OUT: reason("deadline_exceeded", 422),
  // What is in firmware that was made elsewhere
  FIRMWARE_INVALID: reason("invalid_argument", 422),
  FIRMWARE_TRUNCATED: reason("invalid_argument", 422),
  FIRMWARE_MISMATCH: reason("failed_precondition", 422),
  FIRMWARE_METADATA_INVALID: reason("invalid_argument", 422),
  FIRMWARE_UNSERVABLE: reason("failed_precondition", 422),
  ARTIFACT_INVALID: reason("invalid_argument", 422),
  ARTIFACT_SIGNATURE_INVALID: reason("invalid_argument", 422),
  // Compiling
  FIXED_POINT_WIDTH: reason("invalid_argument"),
  FLOW_UNSUPPORTED: reason("unimplemented", 422),
  MODEL_TOO_LARGE: reason("resource_exhausted", 422),
  IMPORT_MISMATCH: reason("internal", 422),
  CELL_UNSUPPORTED: reason("unimplemented", 422),
  NETLIST_INVALID: reason("invalid_argument", 422),
  TIMING_NOT_MET: reason("failed_precondition", 422),
  VERIFICATION_FAILED: reason("data_loss", 422),
  // Running tools
  TOOL_MISSING: reason("failed_precondition", 422),
  TOOL_FAILED: reason("internal", 422),
  TOOL_SIGNAL: reason("internal", 422),
  TOOL_MEMORY: reason("resource_exhausted", 422),
  TOOL_CPU: reason("resource_exhausted", 422),
  TOOL_TIMED_OUT: reason("deadline_exceeded", 422),
  OUTPUT_MISSING: reason("internal", 422),
  OUTPUT_INVALID: reason("internal", 422),
  NO_SPACE: reason("resource_exhausted", 507),
  LOG_UNSTORABLE: reason("internal"),
  LEASE_LOST: reason("aborted"),
  BUILD_TIMED_OUT: reason("deadline_exceeded", 422),
  CANCELLED: reason("cancelled"),
  SANDBOX_UNAVAILABLE: reason("failed_precondition", 422),
  // Boards
  NO_BOARD_FREE: reason("unavailable"),
  BOARD_OFFLINE: reason("unavailable"),
  BOARD_CANNOT: reason("unimplemented", 422),
  ENROLMENT_INVALID: reason("unauthenticated"),
  ARTIFACT_MISSING: reason("not_found"),
  ARTIFACT_MISMATCH: reason("data_loss"),
  SIGNATURE_INVALID: reason("data_loss"),
  DEVICE_MISMATCH: reason("failed_precondition"),
  DEVICE_BUSY: reason("unavailable"),
  DEVICE_FAILED: reason("unavailable"),
  SELF_TEST_FAILED: reason("data_loss"),
  SLOT_EPOCH_STALE: reason("aborted"),
  REVISION_MISMATCH: reason("aborted", 409),
  LINK_FAILED: reason("unavailable"),
  LINK_INSECURE: reason("failed_precondition"),
  SLOT_MEMORY: reason("resource_exhausted", 413),
  WEBASSEMBLY_UNAVAILABLE: reason("failed_precondition"),
  // Serving (V2)
  MODEL_NOT_FOUND: reason("not_found"),
  MODEL_NOT_READY: reason("unavailable"),
  VERSION_INVALID: reason("invalid_argument"),
  INFER_INVALID: reason("invalid_argument"),
  ENCODING_UNSUPPORTED: reason("invalid_argument", 415),
  QUEUE_FULL: reason("unavailable"),
  QUEUE_TIMEOUT: reason("unavailable"),
  UPSTREAM_RESET: reason("unavailable"),
  UPSTREAM_MISMATCH: reason("internal", 502),
  EXTENSION_UNSUPPORTED: reason("unimplemented"),
  // Backups
  BACKUP_INVALID: reason("data_loss", 422),
  BACKUP_TOO_NEW: reason("failed_precondition", 422),
  BACKUP_TARGET_TAKEN: reason("already_exists"),
} as const satisfies Record<string, ReasonEntry>;

/** What clients branch on; a reason once given out keeps its meaning. */
export type Reason = keyof typeof reasons;

/** Whether a word, such as one off the wire, is one of our reasons. */
export function isReason(word: unknown): word is Reason {
  return typeof word === "string" && Object.hasOwn(reasons, word);
}
