// Finds text that people see and that stands in the code instead of a catalogue.
import ts from "typescript";

/** Attributes that are read, shown or spoken. */
const spoken = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-roledescription",
  "failure",
  "label",
  "placeholder",
  "text",
  "title",
  "unit",
  "usual",
]);

/** What is the same in every language: names, units, keys, addresses, and examples of what is typed. */
const universal = [
  /^(Boardwalk|Ctrl|Ctrl K|Ctrl ↵|Esc|ReLU|GitHub|Python|TypeScript|Python gRPC|curl|grpcurl)$/,
  /^(CSV|JSON|NPY|FPGA|CPU|URL|API|URDL|p50|p90|p99|ms|ns|µs|s|min|h|MHz|Hz|KiB|MiB|GiB|V|W|°C|cycles?\/s)$/,
  // Addresses, and names that are shown as examples of names.
  /^\/[\w/]+\/?$/,
  /^(digits-mlp|banknote)$/,
];
const hasWord = (text) => /\p{L}{2,}/u.test(text.replace(/https?:\S+/g, ""));
const isUniversal = (text) => universal.some((pattern) => pattern.test(text));

/**
 * Literal texts that a file shows, with their lines, counted from 1: text between tags, strings of attributes that are read,
 * and strings that an expression between tags chooses from.
 *
 * @param {string} path `.tsx`, for the error positions alone
 * @param {string} text
 * @returns {{ line: number, words: string }[]}
 */
export function visibleWords(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found = [];
  const visit = (node) => {
    const words = wordsOf(node);
    if (words !== null && hasWord(words) && !isUniversal(words)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ line: line + 1, words });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function wordsOf(node) {
  if (ts.isJsxText(node)) return isCode(node) ? null : node.text.replaceAll(/\s+/g, " ").trim();
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return null;
  return isShown(node) ? literalPart(node) : null;
}

/** The fixed parts of a string, its values left out. */
function literalPart(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
    .join(" ")
    .trim();
}

/** Whether a string is what its attribute or its place between tags shows, however it is chosen. */
function isShown(node) {
  let at = node.parent;
  let from = node;
  while (isChoice(at, from)) {
    from = at;
    at = at.parent;
  }
  if (ts.isJsxAttribute(at)) return spoken.has(at.name.getText());
  if (!ts.isJsxExpression(at)) return false;
  if (ts.isJsxAttribute(at.parent)) return spoken.has(at.parent.name.getText());
  return !isCode(at);
}

/** `a ? b : c`, `a ?? b`, `(b)` hand their branches on; a condition is no branch. */
const isChoice = (node, from) =>
  ts.isParenthesizedExpression(node) ||
  (ts.isConditionalExpression(node) && node.condition !== from) ||
  (ts.isBinaryExpression(node) &&
    [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken].includes(
      node.operatorToken.kind,
    ));

/** Inside of `code`, `kbd`, `pre` or `style` stands what is typed, which has no language. */
function isCode(node) {
  const tag = ts.isJsxElement(node.parent) ? node.parent.openingElement.tagName.getText() : "";
  return ["code", "kbd", "pre", "style"].includes(tag);
}
