import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument, stringify } from "yaml";
import { z } from "zod";
import { newEndpointSchema, type RecipeContent, recipeContentSchema } from "@/lib/common/contract";

/** The largest text that is read: a deploy has some lines. */
export const mostYamlBytes = 256 * 1024;

/** As many references to one value as a text may have that a person wrote. */
const mostAliases = 50;

/** The choices of a form, and the name that the endpoint is to have. */
export interface YamlDeploy {
  readonly name: string | undefined;
  readonly content: RecipeContent;
}

/** What is wrong with a text, and on which line: a text of `deploy.yaml.problems`, and its values. */
export interface YamlProblem {
  readonly line: number;
  readonly key:
    | "syntax"
    | "notMap"
    | "unknownKey"
    | "unknownOption"
    | "unknownEngine"
    | "unknownBoard"
    | "value"
    | "oneOf"
    | "missing"
    | "tooLong"
    | "aliases";
  readonly values: Readonly<Record<string, string | number>>;
}

/** What there is to choose from; what is missing here is told by the server. */
export interface KnownChoices {
  readonly engines: readonly {
    readonly id: string;
    /** The names of its options; null: unknown. */
    readonly options: readonly string[] | null;
  }[];
  /** Ids of models of boards. */
  readonly boards: readonly string[];
}

const schema = recipeContentSchema.extend({ name: newEndpointSchema.shape.name.optional() });

/** The choices as people read and edit them, in the order of the form. */
export function yamlOf({ name, content }: YamlDeploy): string {
  const { engine, preset, options, board, model, inputRange, calibration, features, serving } =
    content;
  const ordered = {
    ...{ name, model, engine, preset, options, board },
    ...{ inputRange, calibration, features, serving },
  };
  const given = Object.entries(ordered).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? "" : stringify(Object.fromEntries(given), { lineWidth: 100 });
}

/** Reads what `yamlOf` wrote or a person did: nothing in it is run, and everything that is wrong is named with its line. */
export function readYaml(
  text: string,
  known: KnownChoices,
): { readonly deploy: YamlDeploy } | { readonly problems: readonly YamlProblem[] } {
  if (text.length > mostYamlBytes)
    return { problems: [{ line: 1, key: "tooLong", values: { most: mostYamlBytes / 1024 } }] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: "1.2", merge: false });
  if (document.errors.length > 0) {
    return {
      problems: document.errors.map(({ pos, message }) => ({
        line: lines.linePos(pos[0]).line,
        key: "syntax" as const,
        values: { said: message.split(" at line ")[0] ?? message },
      })),
    };
  }
  const { contents } = document;
  if (!isMap(contents)) return { problems: [{ line: 1, key: "notMap", values: {} }] };
  const lineOf = (path: Path, key?: string) => lines.linePos(startOf(contents, path, key)).line;
  const value = plainly(() => document.toJS({ maxAliasCount: mostAliases }));
  if (value === tooMany) return { problems: [{ line: 1, key: "aliases", values: {} }] };
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const places = { lineOf, isThere: (path: Path) => document.hasIn(path) };
    return {
      problems: parsed.error.issues
        .flatMap((issue) => problemsOf(issue, [], places))
        .sort((a, b) => a.line - b.line),
    };
  }
  const { name, ...content } = parsed.data;
  const problems = unknownChoices(content, known, lineOf);
  return problems.length > 0 ? { problems } : { deploy: { name, content } };
}

const tooMany = Symbol("too many aliases");

function plainly(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return tooMany;
  }
}

type Path = readonly PropertyKey[];
type LineOf = (path: Path, key?: string) => number;
interface Places {
  readonly lineOf: LineOf;
  readonly isThere: (path: Path) => boolean;
}

/** Where the key of a value stands; of a value that is not there, the key of what it would be in. */
function startOf(root: Node, path: Path, key?: string): number {
  let node: Node = root;
  let place: Node = root;
  for (const step of [...path, ...(key === undefined ? [] : [key])]) {
    const next = "getIn" in node ? node.getIn([step], true) : undefined;
    const own = keyNode(node, String(step)) ?? (isNode(next) ? next : undefined);
    if (!own) break;
    place = own;
    if (!isNode(next)) break;
    node = next;
  }
  return place.range?.[0] ?? 0;
}

const keyNode = (map: Node, name: string): Node | undefined => {
  if (!isMap(map)) return undefined;
  const key = map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === name)?.key;
  return isNode(key) ? key : undefined;
};

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, before: Path, { lineOf, isThere }: Places): YamlProblem[] {
  const path = [...before, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const near = nearest(key, keysAt(path));
      return {
        line: lineOf(path, key),
        key: "unknownKey",
        values: { key, place: wordsOf(path), near, known: keysAt(path).join(", ") },
      };
    });
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // The form that is meant is the one with the least against it.
    const [branch = []] = [...issue.errors].sort((a, b) => a.length - b.length);
    return branch.flatMap((each) => problemsOf(each, path, { lineOf, isThere }));
  }
  const [line, place] = [lineOf(path), wordsOf(path)];
  if (issue.code === "invalid_value") {
    return [{ line, key: "oneOf", values: { place, known: issue.values.map(String).join(", ") } }];
  }
  if (issue.code === "invalid_type" && !isThere(path))
    return [{ line, key: "missing", values: { place } }];
  return [{ line, key: "value", values: { place, said: issue.message } }];
}

function unknownChoices(
  { engine, options = {}, board }: RecipeContent,
  { engines, boards }: KnownChoices,
  lineOf: LineOf,
): YamlProblem[] {
  const chosen = engines.find(({ id }) => id === engine);
  const ids = engines.map(({ id }) => id);
  const unknown = chosen?.options
    ? Object.keys(options).filter((name) => !chosen.options?.includes(name))
    : [];
  return [
    ...(engine !== undefined && !chosen && ids.length > 0
      ? [
          {
            line: lineOf(["engine"]),
            key: "unknownEngine" as const,
            values: { engine, known: ids.join(", ") },
          },
        ]
      : []),
    ...unknown.map((name) => ({
      line: lineOf(["options"], name),
      key: "unknownOption" as const,
      values: {
        name,
        engine: engine ?? "",
        near: nearest(name, chosen?.options ?? []),
        known: (chosen?.options ?? []).join(", "),
      },
    })),
    ...(board && "model" in board && boards.length > 0 && !boards.includes(board.model)
      ? [
          {
            line: lineOf(["board", "model"]),
            key: "unknownBoard" as const,
            values: { board: board.model, near: nearest(board.model, boards) },
          },
        ]
      : []),
  ];
}

/** `features.0.min` as people read it: `features 1, min`. */
const wordsOf = (path: Path): string =>
  path.map((step) => (typeof step === "number" ? String(step + 1) : String(step))).join(" › ");

/** The keys that may stand at a place; empty where any may. */
function keysAt(path: Path): readonly string[] {
  let at: unknown = schema;
  for (const step of path) {
    const open = unwrapped(at);
    at =
      open instanceof z.ZodArray
        ? open.element
        : open instanceof z.ZodObject
          ? open.shape[String(step)]
          : undefined;
  }
  const last = unwrapped(at);
  if (last instanceof z.ZodObject) return Object.keys(last.shape);
  if (last instanceof z.ZodUnion)
    return last.options.flatMap((option) =>
      option instanceof z.ZodObject ? Object.keys(option.shape) : [],
    );
  return [];
}

const unwrapped = (type: unknown): unknown =>
  type instanceof z.ZodOptional ? unwrapped(type.unwrap()) : type;

/** The word that is meant by one that is a slip or two away; `none` where there is none. */
function nearest(word: string, words: readonly string[]): string {
  const most = word.length > 4 ? 2 : 1;
  const near = words
    .map((each) => ({ each, slips: slipsBetween(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.each ?? "none";
}

/** Letters to add, to drop or to change between two words. @see Levenshtein 1966 */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
