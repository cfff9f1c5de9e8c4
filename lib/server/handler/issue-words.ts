import type { z } from "zod";

/** What is said of one fault of a request that its schema has no words for. */
interface IssueWords {
  readonly message: string;
  readonly hint?: string;
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  date: "a time",
};

const formats: Readonly<Record<string, string>> = {
  email: "an e-mail address",
  url: "a URL",
  datetime: "a time such as 2026-11-25T12:00:00Z",
  date: "a date such as 2026-11-25",
  uuid: "a UUID",
  regex: "of the form that is wanted here",
};

/** Plain words for an issue of Zod: the message names the field, the hint what it may be. */
export function issueWords(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): IssueWords {
  const path = (issue.path ?? []).map(String).join(".");
  const name = path === "" ? "The body" : `“${shortened(path)}”`;
  switch (issue.code) {
    case "invalid_type":
      return ofType(name, issue.expected, issue.input);
    case "too_small":
      return {
        message: `${name} is too small: ${bound("at least", issue.minimum, issue.origin)}.`,
      };
    case "too_big":
      return { message: `${name} is too large: ${bound("at most", issue.maximum, issue.origin)}.` };
    case "invalid_value":
      return {
        message: `${name} is none of the values that it may have.`,
        hint: `Give one of: ${issue.values.slice(0, 40).map(String).join(", ")}.`,
      };
    case "unrecognized_keys": {
      const where = path === "" ? "here" : `in ${name}`;
      return { message: `There is no field “${shortened(issue.keys[0] ?? "")}” ${where}.` };
    }
    case "invalid_format":
      return ofFormat(name, issue);
    case "not_multiple_of":
      return { message: `${name} is not a multiple of ${issue.divisor}.` };
    case "invalid_union":
      return ofUnion(name, issue);
    default:
      return { message: `${name} has none of the forms that it may have.` };
  }
}

/** The words of an issue as a schema's own error function, which Zod asks where a schema has no words of its own. */
export const issueMessage = (issue: z.core.$ZodRawIssue): string => issueWords(issue).message;

function ofType(name: string, expected: string, input: unknown): IssueWords {
  const wanted = kinds[expected] ?? expected;
  if (input === undefined) return { message: `${name} is missing: ${wanted} is wanted.` };
  return { message: `${name} is ${kindOf(input)}, where ${wanted} is wanted.` };
}

/** Where each branch of a union wants another kind of value, those kinds; else what can be said of all. */
function ofUnion(
  name: string,
  { errors, input }: Pick<z.core.$ZodIssueInvalidUnion, "errors" | "input">,
): IssueWords {
  const wanted = errors.map(([first]) =>
    first?.code === "invalid_type" && first.path.length === 0
      ? (kinds[first.expected] ?? first.expected)
      : null,
  );
  if (input !== undefined && wanted.length > 0 && !wanted.includes(null))
    return {
      message: `${name} is ${kindOf(input)}, where ${[...new Set(wanted)].join(" or ")} is wanted.`,
    };
  return { message: `${name} has none of the forms that it may have.` };
}

function ofFormat(
  name: string,
  { format, pattern }: { readonly format: string; readonly pattern?: string | undefined },
): IssueWords {
  const wanted = formats[format] ?? `written as ${format}`;
  return format === "regex" && pattern !== undefined
    ? { message: `${name} is not ${wanted}.`, hint: `It must match ${pattern}.` }
    : { message: `${name} is not ${wanted}.` };
}

function bound(words: string, limit: number | bigint, origin: string): string {
  const one = limit === 1 || limit === 1n;
  if (origin === "string") return `${words} ${limit} ${one ? "character" : "characters"}`;
  if (origin === "array" || origin === "set" || origin === "map")
    return `${words} ${limit} ${one ? "entry" : "entries"}`;
  return `${words} ${limit}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" && !Number.isInteger(value)) return "a number with a fraction";
  return kinds[typeof value] ?? typeof value;
}

/** A path or key that somebody sent, short enough for a sentence. */
const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
