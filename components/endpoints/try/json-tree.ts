import { jsonLanguage } from "@codemirror/lang-json";

/** A JSON value with its place in the text. Numbers keep their digits, so that 64-bit integers are not rounded. */
export type JsonNode = { readonly from: number; readonly to: number } & (
  | { readonly kind: "object"; readonly members: readonly JsonMember[] }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "number"; readonly digits: string }
  | { readonly kind: "literal"; readonly word: string }
);

export interface JsonMember {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly value: JsonNode;
}

type TreeNode = ReturnType<typeof jsonLanguage.parser.parse>["topNode"];

const childrenOf = (node: TreeNode): TreeNode[] => {
  const children: TreeNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};

/** A string as it is, or a word that V2's clients write where JSON has no number. */
const stringOrWord = /"(?:[^"\\\n]|\\.)*"|(?<![\w.+-])-?(?:NaN|Infinity)(?![\w.])/g;

/** The words as numbers of equal length, so that every place stays what it was. */
const maskWords = (text: string): string =>
  text.replace(stringOrWord, (found) =>
    found.startsWith('"') ? found : found.replace(/\w/g, "1"),
  );

/**
 * Reads JSON text, with `NaN`, `Infinity` and `-Infinity` among its numbers as the protocol has them; answers the first place
 * that is not JSON instead of throwing.
 */
export function parseJsonTree(
  text: string,
): { readonly root: JsonNode } | { readonly errorAt: number } {
  const tree = jsonLanguage.parser.parse(maskWords(text));
  let errorAt: number | null = null;
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError && errorAt === null) errorAt = from;
    },
  });
  if (errorAt !== null) return { errorAt };
  const top = tree.topNode.firstChild;
  return top ? { root: toNode(top, text) } : { errorAt: 0 };
}

function toNode(node: TreeNode, text: string): JsonNode {
  const { from, to } = node;
  const source = text.slice(from, to);
  switch (node.name) {
    case "Object":
      return {
        kind: "object",
        from,
        to,
        members: childrenOf(node)
          .filter(({ name }) => name === "Property")
          .flatMap((property) => {
            const [key, ...rest] = childrenOf(property);
            const value = rest.at(-1);
            if (!key || !value) return [];
            return [
              {
                key: unquote(text.slice(key.from, key.to)),
                from: key.from,
                to: key.to,
                value: toNode(value, text),
              },
            ];
          }),
      };
    case "Array":
      return {
        kind: "array",
        from,
        to,
        items: childrenOf(node)
          .filter(({ name }) => !/^[[\],⚠]$/.test(name))
          .map((item) => toNode(item, text)),
      };
    case "String":
      return { kind: "string", from, to, text: unquote(source) };
    case "Number":
      return { kind: "number", from, to, digits: source };
    default:
      return { kind: "literal", from, to, word: source };
  }
}

function unquote(source: string): string {
  try {
    return String(JSON.parse(source));
  } catch {
    return source;
  }
}
