import { type AppError, fail } from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";

type Fields = Readonly<Record<string, unknown>>;

/** What a file of another make has in the place of something that every model has. */
export function missing(path: string): AppError {
  return fail(
    "MODEL_INVALID",
    `The model has no \`${path}\`, or not in the form that it should have.`,
    {
      hint: "Save it again with Booster.save_model() of XGBoost 1.6 or newer.",
    },
  );
}

/** The value, if it is an object. @throws {AppError} `MODEL_INVALID`, naming the path. */
export function objectAt(value: unknown, path: string): Fields {
  if (isRecord(value)) return value;
  throw missing(path);
}

/** The value, if it is a list. @throws {AppError} `MODEL_INVALID`, naming the path. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw missing(path);
}

/** A list of finite numbers; an absent one is empty where that is allowed. */
export function numbersAt(value: unknown, path: string): readonly number[] {
  const list = listAt(value, path);
  if (list.every((each) => typeof each === "number")) return list;
  if (list.every((each) => typeof each === "boolean")) return list.map(Number);
  throw missing(path);
}

/** A count, written as a number or as its text. */
export function countAt(value: unknown, path: string, most: number): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 0 && count <= most) return count;
  throw missing(path);
}

/** The value, if it is a text. @throws {AppError} `MODEL_INVALID`, naming the path. */
export function textAt(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw missing(path);
}
