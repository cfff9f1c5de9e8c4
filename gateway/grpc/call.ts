import { fail } from "@/lib/common/errors";
import { type Action, type Caller, type Service, unknownModel } from "../core";
import type { GrpcCall } from "./wire/call";

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const versionPattern = /^[1-9]\d{0,14}$/;

/** @throws {AppError} `UNAUTHENTICATED`, `FORBIDDEN`, `MODEL_NOT_FOUND` */
export function callerOf(
  { access }: Service,
  { headers, socket }: GrpcCall,
  action: Action,
  model: string | null,
): Caller | Promise<Caller> {
  return access.check({ authorization: headers["authorization"], socket }, action, model);
}

/**
 * The name and version of a request, checked for their form as the paths of HTTP are.
 *
 * @returns The version, null where none was named.
 * @throws {AppError} `MODEL_NOT_FOUND`, `VERSION_INVALID`
 */
export function namesOf(name: string, version: string): string | null {
  if (!namePattern.test(name)) throw unknownModel(name.slice(0, 128));
  if (version === "") return null;
  if (!versionPattern.test(version)) {
    throw fail("VERSION_INVALID", `the version of model '${name}' is not a positive number`);
  }
  return version;
}
