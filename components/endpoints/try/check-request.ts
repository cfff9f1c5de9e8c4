import type { Endpoint } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { parseInferRequest } from "@/lib/common/tensor";
import { type JsonNode, parseJsonTree } from "./json-tree";

/** Something wrong with a request, at its place in the text. */
export interface RequestProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
  /** A change of the text that makes it right. */
  readonly fix?: {
    readonly label: string;
    readonly from: number;
    readonly to: number;
    readonly insert: string;
  };
}

export interface RequestCheck {
  readonly problems: readonly RequestProblem[];
  /** Rows of the first input, where its shape tells. */
  readonly rows: number | null;
}

const integerRange: Readonly<Record<string, readonly [bigint, bigint]>> = {
  UINT8: [0n, 2n ** 8n - 1n],
  UINT16: [0n, 2n ** 16n - 1n],
  UINT32: [0n, 2n ** 32n - 1n],
  UINT64: [0n, 2n ** 64n - 1n],
  INT8: [-(2n ** 7n), 2n ** 7n - 1n],
  INT16: [-(2n ** 15n), 2n ** 15n - 1n],
  INT32: [-(2n ** 31n), 2n ** 31n - 1n],
  INT64: [-(2n ** 63n), 2n ** 63n - 1n],
};

const member = (node: JsonNode, key: string) =>
  node.kind === "object" ? node.members.find((each) => each.key === key)?.value : undefined;

/** Elements of nested or flat data, in order. */
const leavesOf = (node: JsonNode): readonly JsonNode[] =>
  node.kind === "array" ? node.items.flatMap(leavesOf) : [node];

const sizesOf = (node: JsonNode): readonly number[] | null => {
  if (node.kind !== "array") return null;
  const sizes = node.items.map((item) =>
    item.kind === "number" && /^\d+$/.test(item.digits) ? Number(item.digits) : null,
  );
  return sizes.every((size) => size !== null) ? sizes : null;
};

const product = (sizes: readonly number[]) => sizes.reduce((total, size) => total * size, 1);
const show = (sizes: readonly number[]) =>
  `[${sizes.map((size) => (size < 0 ? "n" : size)).join(", ")}]`;

/** Checks a V2 request against what the endpoint declares, before anything is sent. */
export function checkRequest(text: string, specs: Endpoint["inputs"]): RequestCheck {
  const tree = parseJsonTree(text);
  if ("errorAt" in tree) {
    const at = Math.min(tree.errorAt, text.length);
    const line = text.slice(0, at).split("\n").length;
    const message = `This is not JSON, near line ${line}.`;
    return { problems: [{ from: at, to: Math.min(text.length, at + 1), message }], rows: null };
  }
  const { root } = tree;
  const inputs = member(root, "inputs");
  if (inputs?.kind !== "array") {
    const message = "A request is an object with a list “inputs”.";
    return {
      problems: [{ from: root.from, to: Math.min(root.to, root.from + 1), message }],
      rows: null,
    };
  }
  const problems = inputs.items.flatMap((input) => checkInput(input, specs));
  const given = inputs.items.flatMap((input) => {
    const name = member(input, "name");
    return name?.kind === "string" ? [name.text] : [];
  });
  for (const { name } of specs) {
    if (given.includes(name)) continue;
    problems.push({
      from: inputs.from,
      to: inputs.from + 1,
      message: `The input “${name}” is missing.`,
    });
  }
  if (problems.length === 0) problems.push(...refusalOf(text));
  const [first] = inputs.items;
  const shape = first && member(first, "shape");
  return { problems, rows: (shape && sizesOf(shape)?.[0]) ?? null };
}

/** What the gateway's own reader would refuse: nothing is called valid that it does not take. */
function refusalOf(text: string): RequestProblem[] {
  try {
    parseInferRequest(new TextEncoder().encode(text));
    return [];
  } catch (error) {
    if (!isAppError(error)) throw error;
    return [{ from: 0, to: Math.min(1, text.length), message: error.message }];
  }
}

function checkInput(input: JsonNode, specs: Endpoint["inputs"]): RequestProblem[] {
  const at = (node: JsonNode | undefined, message: string): RequestProblem[] => [
    { from: (node ?? input).from, to: node ? node.to : input.from + 1, message },
  ];
  const name = member(input, "name");
  if (name?.kind !== "string") return at(name, "An input has a “name”.");
  const spec = specs.find((each) => each.name === name.text);
  if (!spec) {
    const known = specs.map((each) => `“${each.name}”`).join(", ");
    return at(name, `There is no input “${name.text}”. This endpoint takes ${known}.`);
  }
  const problems: RequestProblem[] = [];
  const datatype = member(input, "datatype");
  if (datatype?.kind !== "string") problems.push(...at(datatype, "An input has a “datatype”."));
  else if (datatype.text !== spec.datatype) {
    problems.push({
      from: datatype.from,
      to: datatype.to,
      message: `“${spec.name}” is ${spec.datatype}, not ${datatype.text}.`,
      fix: {
        label: `Set datatype to ${spec.datatype}`,
        from: datatype.from,
        to: datatype.to,
        insert: `"${spec.datatype}"`,
      },
    });
  }
  const shape = member(input, "shape");
  const sizes = shape && sizesOf(shape);
  if (!shape || !sizes) return [...problems, ...at(shape, "A “shape” is a list of sizes.")];
  const data = member(input, "data");
  if (data?.kind !== "array") return [...problems, ...at(data, "An input has a list “data”.")];
  const leaves = leavesOf(data);
  const fits =
    sizes.length === spec.shape.length &&
    spec.shape.every((size, index) => size < 0 || size === sizes[index]);
  if (!fits) {
    problems.push({
      ...place(shape),
      message: `“${spec.name}” has the shape ${show(spec.shape)}, not ${show(sizes)}.`,
      ...fixShape(shape, spec.shape, leaves.length),
    });
  } else if (product(sizes) !== leaves.length) {
    problems.push({
      ...place(shape),
      message: `The shape ${show(sizes)} wants ${product(sizes)} values; data has ${leaves.length}.`,
      ...fixShape(shape, spec.shape, leaves.length),
    });
  }
  const bad = leaves.find((leaf) => !isElement(leaf, spec.datatype));
  if (bad) problems.push({ ...place(bad), message: `This is no ${spec.datatype} value.` });
  return problems;
}

const place = ({ from, to }: JsonNode) => ({ from, to });

/** The shape that as many values would have, if they make whole rows. */
function fixShape(
  shape: JsonNode,
  spec: readonly number[],
  count: number,
): Pick<RequestProblem, "fix"> | Record<string, never> {
  const free = spec.filter((size) => size < 0).length;
  const row = product(spec.filter((size) => size >= 0));
  if (free !== 1 || row === 0 || count === 0 || count % row !== 0) return {};
  const sizes = spec.map((size) => (size < 0 ? count / row : size));
  return {
    fix: {
      label: `Set shape to ${show(sizes)}`,
      from: shape.from,
      to: shape.to,
      insert: show(sizes),
    },
  };
}

const numberWords: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

function isElement(node: JsonNode, datatype: string): boolean {
  if (datatype === "BOOL") {
    return node.kind === "literal"
      ? node.word !== "null"
      : node.kind === "number" && /^[01]$/.test(node.digits);
  }
  if (datatype === "BYTES") return node.kind === "string";
  const range = integerRange[datatype];
  // Of floats, what JSON has no number for: bare, in quotes, or null for what is not a number.
  if (!range && node.kind === "string") return numberWords.has(node.text);
  if (!range && node.kind === "literal") return node.word === "null";
  if (node.kind !== "number") return false;
  if (!range && numberWords.has(node.digits)) return true;
  if (!range) return datatype !== "FP32" || Math.abs(Number(node.digits)) <= 3.4028235e38;
  if (!/^-?\d+$/.test(node.digits)) return false;
  const value = BigInt(node.digits);
  return value >= range[0] && value <= range[1];
}
