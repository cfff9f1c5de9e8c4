import { z } from "zod";
import { namePattern } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";
import { issueMessage, issueWords } from "./issue-words";

/** Parses what a caller sent. @throws {AppError} `VALIDATION` with the field, or `NAME_INVALID` for a name's form. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: issueMessage });
  if (result.success) return result.data;
  throw toValidationError(result.error);
}

/** Parses what stands behind the `?` of an address. @throws {AppError} `QUERY_INVALID` with the parameter and what it may be. */
export function validateQuery<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: issueMessage });
  if (result.success) return result.data;
  throw toQueryError(result.error.issues[0], schema, value);
}

function toQueryError(
  issue: z.core.$ZodIssue | undefined,
  schema: z.ZodType,
  value: unknown,
): AppError {
  if (issue?.code === "unrecognized_keys") {
    const [unknown = ""] = issue.keys;
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape).join(", ") : "";
    return queryError(
      unknown,
      `There is no parameter ${quoted(unknown)} here.`,
      `Known are: ${known}.`,
    );
  }
  const name = String(issue?.path[0] ?? "");
  const given = at(value, issue?.path ?? []);
  if (issue?.code === "invalid_value") {
    const message = `${name} cannot be ${quoted(given)}.`;
    return queryError(name, message, `It is one of: ${issue.values.map(String).join(", ")}.`);
  }
  const message = `${name} cannot be ${quoted(given)}: ${issue?.message ?? "it is not valid"}`;
  return queryError(name, message, seeDescription);
}

const seeDescription = "`/api/v1/openapi.json` tells what each field and parameter takes.";

const queryError = (field: string, message: string, hint: string): AppError =>
  fail("QUERY_INVALID", message, { field, hint });

const quoted = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return `“${text.length > 80 ? `${text.slice(0, 80)}…` : text}”`;
};

/** The part of a value that an issue is about, else the parameter as it came. */
function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let part = value;
  for (const key of path) {
    if (Array.isArray(part)) part = part[Number(key)];
    else if (isRecord(part)) part = part[String(key)];
  }
  return part;
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
  const hint = issueWords(issue).hint ?? seeDescription;
  return fail("VALIDATION", issue.message, field === "" ? { hint } : { field, hint });
}

/** Inside a union, the issue of the branch that came furthest: it names the field that matters. */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== "invalid_union") return issue;
  const inner = issue.errors
    .flat()
    .map((each) => deepest(each) ?? each)
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (!inner || inner.path.length === 0) return issue;
  const path = [...issue.path, ...inner.path];
  const own = `“${inner.path.join(".")}”`;
  const message = inner.message.startsWith(own)
    ? `“${path.join(".")}”${inner.message.slice(own.length)}`
    : inner.message;
  return { ...inner, path, message };
}
