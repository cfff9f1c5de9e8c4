import { fail } from "@/lib/common/errors";
import { type Names, unknownModel } from "../core";

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const versionPattern = /^[1-9]\d{0,14}$/;

/**
 * The names in a message, checked for their form as the paths of HTTP are.
 *
 * @param version Empty: none was named.
 * @throws {AppError} `MODEL_NOT_FOUND`, `VERSION_INVALID`
 */
export function namesOf(model: string, version: string): Names {
  if (!namePattern.test(model)) throw unknownModel(model.slice(0, 128));
  if (version === "") return { model, version: null };
  if (!versionPattern.test(version)) {
    throw fail("VERSION_INVALID", `the version of model '${model}' is not a positive number`);
  }
  return { model, version };
}
