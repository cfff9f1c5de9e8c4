import type { z } from "zod";
import { namePattern } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";

/** Parses what a caller sent. @throws {AppError} `VALIDATION` with the field, or `NAME_INVALID` for a name's form. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw toValidationError(result.error);
}

function toValidationError(error: z.ZodError): AppError {
  const issue = deepest(error.issues[0]);
  if (!issue) return fail("VALIDATION", "The request is not valid.");
  if (
    issue.code === "invalid_format" &&
    "pattern" in issue &&
    issue.pattern === String(namePattern)
  )
    return fail("NAME_INVALID", "A name is 1 to 63 lower-case letters, digits and hyphens.", {
      field: issue.path.join("."),
      hint: "Begin with a letter and end with a letter or digit: digits-mlp-2.",
    });
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const field = [...issue.path, ...unknown].join(".");
  return fail("VALIDATION", issue.message, field === "" ? {} : { field });
}

/** Inside a union, the issue of the branch that came furthest: it names the field that matters. */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== "invalid_union") return issue;
  const inner = issue.errors
    .flat()
    .map((each) => deepest(each) ?? each)
    .sort((a, b) => b.path.length - a.path.length)[0];
  return inner && inner.path.length > 0
    ? { ...inner, path: [...issue.path, ...inner.path] }
    : issue;
}
