import type { Metadata, ServerUnaryCall } from "@grpc/grpc-js";
import { fail } from "@/lib/common/errors";
import type { Action, Caller } from "../core/access";
import { Life } from "../core/life";
import { unknownModel } from "../core/model-errors";
import { longestMs } from "../core/scheduler";
import type { Service } from "../core/service";

export type UnaryCall = ServerUnaryCall<Buffer, Uint8Array>;

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const versionPattern = /^[1-9]\d{0,14}$/;

/** @throws {AppError} `UNAUTHENTICATED`, `FORBIDDEN`, `MODEL_NOT_FOUND` */
export function callerOf(
  { access }: Service,
  metadata: Metadata,
  action: Action,
  model: string | null,
): Caller | Promise<Caller> {
  const [authorization] = metadata.get("authorization");
  return access.check(authorization?.toString(), action, model);
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

interface Cancellable {
  on(event: "cancelled", listener: () => void): unknown;
}

/** Ends when the caller is gone, its deadline has passed, or the longest time a request may take is over. */
export function lifeOf(call: Cancellable): { readonly life: Life; readonly settled: () => void } {
  const life = new Life();
  let over = false;
  const timer = setTimeout(
    () => life.end(fail("DEADLINE_EXCEEDED", `no answer within ${longestMs / 1000} s`)),
    longestMs,
  );
  // Told of every call, answered ones too; an error costs a look at the stack.
  call.on("cancelled", () => {
    if (!over) life.end(fail("CANCELLED", "the caller is gone"));
  });
  const settled = (): void => {
    over = true;
    clearTimeout(timer);
  };
  return { life, settled };
}
