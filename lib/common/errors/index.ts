export {
  AppError,
  type ErrorData,
  fail,
  fromErrorData,
  httpStatusOf,
  isAppError,
  toAppError,
  toErrorData,
} from "./app-error";
export { canRetry } from "./can-retry";
export { type ErrorCode, errorCodes, isErrorCode } from "./codes";
export { notFound } from "./not-found";
export { listReasons } from "./reason-groups";
export { isReason, type Reason, reasons } from "./reasons";
export { systemCodeOf } from "./system-code";
