import type { Endpoint } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { integerOfToken, parseInferRequest } from "@/lib/common/tensor";
import {
  type JsonFault,
  type JsonFaultCode,
  type JsonNode,
  lineAt,
  parseJsonTree,
  type TextChange,
} from "./json-tree";

/** What may be wrong with a request; each has its sentence in the catalogue. */
export type ProblemCode =
  | JsonFaultCode
  | "notARequest"
  | "inputMissing"
  | "inputNoObject"
  | "inputUnnamed"
  | "inputUnknown"
  | "inputTwice"
  | "datatypeMissing"
  | "datatypeOther"
  | "shapeMissing"
  | "shapeOther"
  | "dataMissing"
  | "countOther"
  | "rowsDiffer"
  | "tooManyRows"
  | "noElement"
  | "outOfRange"
  | "refused";

/** Something wrong with a request, at its place in the text. */
export interface RequestProblem {
  readonly code: ProblemCode;
  readonly values: Readonly<Record<string, string | number>>;
  readonly from: number;
  readonly to: number;
  /** The line of the place, the first being 1. */
  readonly line: number;
  /** A change of the text that makes it right. */
  readonly fix?: RequestFix;
}

/** What a button offers to do to the text. */
export interface RequestFix extends TextChange {
  readonly code: "mend" | "setShape" | "setDatatype";
  readonly values: Readonly<Record<string, string | number>>;
}

/** The tensors of an endpoint, and how many rows it takes at once. */
export type RequestSpecs = Pick<Endpoint, "inputs" | "maxBatchSize">;

export interface RequestCheck {
  readonly problems: readonly RequestProblem[];
  /** Rows of the first input, where its shape tells. */
  readonly rows: number | null;
}

/** More problems than anybody mends before looking again. */
const mostProblems = 100;

const integerRanges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  UINT8: [0n, 2n ** 8n - 1n],
  UINT16: [0n, 2n ** 16n - 1n],
  UINT32: [0n, 2n ** 32n - 1n],
  UINT64: [0n, 2n ** 64n - 1n],
  INT8: [-(2n ** 7n), 2n ** 7n - 1n],
  INT16: [-(2n ** 15n), 2n ** 15n - 1n],
  INT32: [-(2n ** 31n), 2n ** 31n - 1n],
  INT64: [-(2n ** 63n), 2n ** 63n - 1n],
};
/** From here on a number is an infinity in its datatype. */
const overflow: Readonly<Record<string, number>> = {
  FP16: 65_520,
  BF16: 255.5 * 2 ** 120,
  FP32: (2 - 2 ** -24) * 2 ** 127,
  FP64: Number.POSITIVE_INFINITY,
};

const member = (node: JsonNode, key: string) =>
  node.kind === "object" ? node.members.find((each) => each.key === key)?.value : undefined;

/** Elements of nested or flat data, in order. */
export function leavesOf(node: JsonNode, into: JsonNode[] = []): JsonNode[] {
  if (node.kind !== "array") into.push(node);
  else for (const item of node.items) leavesOf(item, into);
  return into;
}

/** The numbers of a `shape`; null where it is no list of sizes. */
export function sizesOf(node: JsonNode): readonly number[] | null {
  if (node.kind !== "array") return null;
  const sizes = node.items.map((item) =>
    item.kind === "number" && /^\d{1,15}$/.test(item.digits) ? Number(item.digits) : null,
  );
  return sizes.every((size) => size !== null) ? sizes : null;
}

const product = (sizes: readonly number[]) => sizes.reduce((total, size) => total * size, 1);
const show = (sizes: readonly number[]) =>
  `[${sizes.map((size) => (size < 0 ? "n" : size)).join(", ")}]`;

/** A fault of JSON as a problem of a request. */
export function problemOfFault(text: string, fault: JsonFault): RequestProblem {
  const { code, change } = fault;
  const from = Math.min(fault.from, text.length);
  const values = { at: lineAt(text, from), ...fault.values };
  return {
    code,
    values,
    from,
    to: Math.max(from, Math.min(fault.to, text.length)),
    line: lineAt(text, from),
    ...(change ? { fix: { code: "mend", values: {}, ...change } } : {}),
  };
}

/** Checks a V2 request against what the endpoint declares, before anything is sent. */
export function checkRequest(text: string, specs: RequestSpecs): RequestCheck {
  const parsed = parseJsonTree(text);
  if ("fault" in parsed) return { problems: [problemOfFault(text, parsed.fault)], rows: null };
  return checkTree(text, parsed.root, specs);
}

/** The same of a text that was read. */
export function checkTree(text: string, root: JsonNode, specs: RequestSpecs): RequestCheck {
  const problems: RequestProblem[] = [];
  const add: Add = (code, node, values = {}, fix) => {
    if (problems.length >= mostProblems) return;
    const line = lineAt(text, node.from);
    problems.push({ code, values, from: node.from, to: node.to, line, ...(fix ? { fix } : {}) });
  };
  const inputs = member(root, "inputs");
  if (inputs?.kind !== "array") {
    add("notARequest", { from: root.from, to: Math.min(root.to, root.from + 1) });
    return { problems, rows: null };
  }
  const given = new Map<string, JsonNode>();
  for (const input of inputs.items) checkInput(input, specs, given, add);
  for (const { name } of specs.inputs) {
    if (!given.has(name)) add("inputMissing", { from: inputs.from, to: inputs.from + 1 }, { name });
  }
  const rows = checkBatch(given, specs, add);
  if (problems.length === 0) {
    const refusal = refusalOf(text);
    if (refusal) add("refused", { from: 0, to: Math.min(1, text.length) }, { message: refusal });
  }
  return { problems, rows };
}

type Place = Pick<JsonNode, "from" | "to">;
type Add = (
  code: ProblemCode,
  place: Place,
  values?: RequestProblem["values"],
  fix?: RequestFix,
) => void;

/** What the gateway's own reader would refuse: nothing is called valid that it does not take. */
function refusalOf(text: string): string | null {
  try {
    parseInferRequest(new TextEncoder().encode(text));
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.message;
  }
}

/** Rows of the request; all inputs must have as many, and no more than the endpoint takes. */
function checkBatch(
  given: ReadonlyMap<string, JsonNode>,
  { maxBatchSize }: RequestSpecs,
  add: Add,
): number | null {
  const shapes = [...given].flatMap(([name, input]) => {
    const node = member(input, "shape");
    const rows = node && sizesOf(node)?.[0];
    return node && rows !== undefined ? [{ name, node, rows }] : [];
  });
  const [first] = shapes;
  if (!first) return null;
  if (!maxBatchSize) return first.rows;
  const other = shapes.find(({ rows }) => rows !== first.rows);
  if (other) {
    const values = { name: other.name, rows: other.rows, first: first.name, wanted: first.rows };
    add("rowsDiffer", other.node, values);
  } else if (first.rows > maxBatchSize) {
    add("tooManyRows", first.node, { rows: first.rows, most: maxBatchSize });
  }
  return first.rows;
}

function checkInput(
  input: JsonNode,
  { inputs: specs }: RequestSpecs,
  given: Map<string, JsonNode>,
  add: Add,
): void {
  const head = { from: input.from, to: input.from + 1 };
  if (input.kind !== "object") {
    add("inputNoObject", input);
    return;
  }
  const name = member(input, "name");
  if (name?.kind !== "string") {
    add("inputUnnamed", name ?? head);
    return;
  }
  const spec = specs.find((each) => each.name === name.text);
  if (!spec) {
    const known = specs.map((each) => `“${each.name}”`).join(", ");
    add("inputUnknown", name, { name: name.text, known });
    return;
  }
  if (given.has(spec.name)) {
    add("inputTwice", name, { name: spec.name });
    return;
  }
  given.set(spec.name, input);
  checkDatatype(member(input, "datatype"), spec, head, add);
  const shape = member(input, "shape");
  const sizes = shape && sizesOf(shape);
  if (!shape || !sizes) {
    add("shapeMissing", shape ?? head, { name: spec.name });
    return;
  }
  const data = member(input, "data");
  // One scalar may stand for a list of one, as the gateway reads it.
  if (!data || data.kind === "object") {
    add("dataMissing", data ?? head, { name: spec.name });
    return;
  }
  const leaves = leavesOf(data);
  checkShape(shape, sizes, { spec, count: leaves.length }, add);
  for (const leaf of leaves) {
    const fault = faultOfElement(leaf, spec.datatype);
    if (fault) add(fault, leaf, { datatype: spec.datatype });
  }
}

type Spec = Endpoint["inputs"][number];

function checkDatatype(node: JsonNode | undefined, spec: Spec, head: Place, add: Add): void {
  const { name, datatype: wanted } = spec;
  if (node?.kind !== "string") {
    add("datatypeMissing", node ?? head, { name });
    return;
  }
  if (node.text === wanted) return;
  const fix = {
    code: "setDatatype" as const,
    values: { wanted },
    from: node.from,
    to: node.to,
    insert: `"${wanted}"`,
  };
  add("datatypeOther", node, { name, wanted, found: node.text }, fix);
}

function checkShape(
  node: JsonNode,
  sizes: readonly number[],
  { spec, count }: { readonly spec: Spec; readonly count: number },
  add: Add,
): void {
  const fits =
    sizes.length === spec.shape.length &&
    spec.shape.every((size, index) => size < 0 || size === sizes[index]);
  const fix = fixShape(node, spec.shape, count);
  if (!fits) {
    const values = { name: spec.name, wanted: show(spec.shape), found: show(sizes) };
    add("shapeOther", node, values, fix);
  } else if (product(sizes) !== count) {
    add("countOther", node, { shape: show(sizes), wanted: product(sizes), count }, fix);
  }
}

/** The shape that as many values would have, if they make whole rows. */
function fixShape(shape: JsonNode, spec: readonly number[], count: number): RequestFix | undefined {
  const free = spec.filter((size) => size < 0).length;
  const row = product(spec.filter((size) => size >= 0));
  if (free !== 1 || row === 0 || count === 0 || count % row !== 0) return undefined;
  const sizes = show(spec.map((size) => (size < 0 ? count / row : size)));
  return {
    code: "setShape",
    values: { shape: sizes },
    from: shape.from,
    to: shape.to,
    insert: sizes,
  };
}

const numberWords: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

/** What is wrong with an element of a datatype, as the gateway reads it; null: nothing. */
export function faultOfElement(
  node: JsonNode,
  datatype: string,
): "noElement" | "outOfRange" | null {
  if (datatype === "BYTES") return node.kind === "string" ? null : "noElement";
  if (datatype === "BOOL") {
    if (node.kind === "literal") return node.word === "null" ? "noElement" : null;
    const isBit = node.kind === "number" && [0, 1].includes(Number(node.digits));
    return isBit ? null : "noElement";
  }
  const range = integerRanges[datatype];
  if (range) {
    const value = node.kind === "number" ? integerOfToken(node.digits) : null;
    if (value === null) return "noElement";
    return value >= range[0] && value <= range[1] ? null : "outOfRange";
  }
  // Of floats, what JSON has no number for: bare, in quotes, or null for what is not a number.
  if (node.kind === "string") return numberWords.has(node.text) ? null : "noElement";
  if (node.kind === "literal") return node.word === "null" ? null : "noElement";
  if (node.kind !== "number") return "noElement";
  if (numberWords.has(node.digits)) return null;
  const size = Math.abs(Number(node.digits));
  return size < (overflow[datatype] ?? Number.POSITIVE_INFINITY) ? null : "outOfRange";
}
