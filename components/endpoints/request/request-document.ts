import {
  checkTree,
  leavesOf,
  problemOfFault,
  type RequestCheck,
  type RequestSpecs,
  sizesOf,
} from "./check-request";
import { type JsonNode, parseJsonTree } from "./json-tree";

/** A member of an object whose value is kept as it was written. */
interface RawMember {
  readonly key: string;
  readonly raw: string;
}

/** One input, each element as its own token: no digit is lost, whatever its datatype is. */
export interface DocumentInput {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  /** Elements in order, as JSON has them: `5.10`, `"NaN"`, `9223372036854775807`. */
  readonly tokens: readonly string[];
  /** Where each begins in the text. */
  readonly starts: readonly number[];
  /** Whether `data` is lists in lists. */
  readonly nested: boolean;
  /** All members in their order; the raw text of those that are told above is not used. */
  readonly members: readonly RawMember[];
}

/** A request that was read: the text stays the document, and this is where its parts are. */
export interface RequestDocument {
  readonly text: string;
  readonly inputs: readonly DocumentInput[];
  readonly members: readonly RawMember[];
}

/** What a text is: a request that views can draw, or at least what is wrong with it. */
export interface RequestReading extends RequestCheck {
  /** Null where the text is no request whose inputs can be told apart. */
  readonly document: RequestDocument | null;
}

/** Reads and checks a text in one go. */
export function readRequest(text: string, specs: RequestSpecs): RequestReading {
  const parsed = parseJsonTree(text);
  if ("fault" in parsed) {
    return { document: null, problems: [problemOfFault(text, parsed.fault)], rows: null };
  }
  return { document: documentOf(text, parsed.root), ...checkTree(text, parsed.root, specs) };
}

/** Null for a text that is no request. */
export function readDocument(text: string): RequestDocument | null {
  const parsed = parseJsonTree(text);
  return "root" in parsed ? documentOf(text, parsed.root) : null;
}

function documentOf(text: string, root: JsonNode): RequestDocument | null {
  if (root.kind !== "object") return null;
  const list = root.members.find(({ key }) => key === "inputs")?.value;
  if (list?.kind !== "array") return null;
  const inputs = list.items.map((item) => inputOf(text, item));
  const known = inputs.filter((input) => input !== null);
  if (known.length !== inputs.length) return null;
  return { text, inputs: known, members: rawMembers(text, root) };
}

function inputOf(text: string, node: JsonNode): DocumentInput | null {
  if (node.kind !== "object") return null;
  const memberOf = (name: string) => node.members.find(({ key }) => key === name)?.value;
  const [name, datatype, shape, data] = ["name", "datatype", "shape", "data"].map(memberOf);
  const sizes = shape && sizesOf(shape);
  if (name?.kind !== "string" || datatype?.kind !== "string" || !sizes || !data) return null;
  const leaves = leavesOf(data);
  if (leaves.some(({ kind }) => kind === "object")) return null;
  return {
    name: name.text,
    datatype: datatype.text,
    shape: sizes,
    tokens: leaves.map(({ from, to }) => text.slice(from, to)),
    starts: leaves.map(({ from }) => from),
    nested: data.kind === "array" && data.items[0]?.kind === "array",
    members: rawMembers(text, node),
  };
}

const rawMembers = (text: string, node: JsonNode & { kind: "object" }): RawMember[] =>
  node.members.map(({ key, value }) => ({ key, raw: text.slice(value.from, value.to) }));

/** A token as people read it: texts without their quotes. */
export function textOfToken(token: string): string {
  if (!token.startsWith('"')) return token;
  const parsed = parseJsonTree(token);
  return "root" in parsed && parsed.root.kind === "string" ? parsed.root.text : token;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const words: Readonly<Record<string, string>> = {
  nan: '"NaN"',
  inf: '"Infinity"',
  "+inf": '"Infinity"',
  "-inf": '"-Infinity"',
  infinity: '"Infinity"',
  "+infinity": '"Infinity"',
  "-infinity": '"-Infinity"',
};

/**
 * What was typed as a token of a datatype. What is no value of it is kept as a text, so that nothing that was typed is lost: the
 * check says what is wrong with it.
 */
export function tokenOf(datatype: string, typed: string): string {
  if (datatype === "BYTES") return JSON.stringify(typed);
  const text = typed.trim();
  if (datatype === "BOOL" && /^(true|false)$/i.test(text)) return text.toLowerCase();
  const isFloat = /^(FP|BF)/.test(datatype);
  const word =
    isFloat && Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined;
  if (word) return word;
  const number = text
    .replace(/^\+/, "")
    .replace(/^(-?)\./, "$10.")
    .replace(/^(-?)0+(?=\d)/, "$1")
    .replace(/\.(?=$|[eE])/, "");
  return jsonNumber.test(number) ? number : JSON.stringify(typed);
}

/** The text with one element replaced by what was typed; everything else stays as it is, to the last blank. */
export function setElement(
  { text, inputs }: RequestDocument,
  place: { readonly input: number; readonly element: number },
  typed: string,
): string {
  const input = inputs[place.input];
  const start = input?.starts[place.element];
  const token = input?.tokens[place.element];
  if (!input || start === undefined || token === undefined) return text;
  return text.slice(0, start) + tokenOf(input.datatype, typed) + text.slice(start + token.length);
}

/** Writes a document as a person would: short lists on a line, long ones in lines of equal width. */
export function writeDocument({
  members,
  inputs,
}: Pick<RequestDocument, "members" | "inputs">): string {
  const lines = members.map(({ key, raw }) =>
    key === "inputs"
      ? `  "inputs": [${inputs.map(writeInput).join(", ")}]`
      : `  ${JSON.stringify(key)}: ${raw}`,
  );
  return `{\n${lines.join(",\n")}\n}`;
}

function writeInput(input: DocumentInput): string {
  const values: Readonly<Record<string, string>> = {
    name: JSON.stringify(input.name),
    datatype: JSON.stringify(input.datatype),
    shape: `[${input.shape.join(", ")}]`,
    data: writeData(input),
  };
  const lines = input.members.map(
    ({ key, raw }) =>
      `    ${JSON.stringify(key)}: ${Object.hasOwn(values, key) ? values[key] : raw}`,
  );
  return `{\n${lines.join(",\n")}\n  }`;
}

const widest = 60;

function writeData({ tokens, shape, nested }: DocumentInput): string {
  const inner = shape.slice(1).reduce((product, size) => product * size, 1);
  if (nested && shape.length > 1 && inner > 0 && tokens.length === (shape[0] ?? 0) * inner) {
    return writeNested(tokens, shape, "    ");
  }
  return writeList(tokens, "    ", shape.length > 1 ? inner : 0);
}

function writeNested(tokens: readonly string[], shape: readonly number[], indent: string): string {
  const [count = 0, ...rest] = shape;
  if (rest.length === 0) return writeList(tokens, indent, 0);
  const size = tokens.length / Math.max(1, count);
  const parts = Array.from({ length: count }, (_, at) =>
    writeNested(tokens.slice(at * size, (at + 1) * size), rest, `${indent}  `),
  );
  return `[\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}]`;
}

/** @param row Elements of one row, which begin on a line of their own where they are few; 0: there are no rows. */
function writeList(tokens: readonly string[], indent: string, row: number): string {
  const flat = `[${tokens.join(", ")}]`;
  if (flat.length <= widest) return flat;
  const average = flat.length / Math.max(1, tokens.length);
  const fitting = Math.max(4, Math.floor(widest / average));
  const perLine =
    row > 0 && row <= fitting ? row : tokens.length % 8 === 0 && fitting >= 8 ? 8 : fitting;
  const lines: string[] = [];
  for (let at = 0; at < tokens.length; at += perLine) {
    lines.push(`${indent}  ${tokens.slice(at, at + perLine).join(", ")}`);
  }
  return `[\n${lines.join(",\n")}\n${indent}]`;
}

/** The document of tensors that are made, not read. */
export function makeDocument(
  inputs: readonly Pick<DocumentInput, "name" | "datatype" | "shape" | "tokens">[],
): Pick<RequestDocument, "members" | "inputs"> {
  const keys = ["name", "shape", "datatype", "data"];
  return {
    members: [{ key: "inputs", raw: "" }],
    inputs: inputs.map((input) => ({
      ...input,
      starts: [],
      nested: false,
      members: keys.map((key) => ({ key, raw: "" })),
    })),
  };
}
