// As much of Go's text templates as fragments of neuron libraries use: ranges, conditions, variables and upstream's functions.

const functions = {
  incs: (value) => String(Number(value) + 1),
  adds: (a, b) => String(Number(a) + Number(b)),
  atoi: Number,
  eq: (a, b) => a === b,
  intRange: (from, to) =>
    Array.from({ length: Number(to) - Number(from) }, (_, at) => Number(from) + at),
  printf: (format, ...values) => format.replace(/%[ds]/g, () => String(values.shift())),
};

/** The text of a template with its parameters filled in. */
export function expandTemplate(text, params) {
  const parts = text.split(/\{\{\s*(.*?)\s*\}\}/);
  return expand(parts, { params, variables: new Map() });
}

/** Texts at even places, actions at odd ones. */
function expand(parts, scope) {
  let out = parts[0];
  for (let at = 1; at < parts.length; at += 2) {
    const action = parts[at];
    const [, range, list] = /^range (\$\w+) := (.*)$/.exec(action) ?? [];
    const [, condition] = /^if (.*)$/.exec(action) ?? [];
    const [, variable, value] = /^(\$\w+) := (.*)$/.exec(action) ?? [];
    if (range || condition) {
      const end = endOf(parts, at);
      const inner = parts.slice(at + 1, end);
      const rounds = range ? evaluate(list, scope) : evaluate(condition, scope) ? [null] : [];
      for (const round of rounds) {
        const variables = new Map(scope.variables);
        if (range) variables.set(range, round);
        out += expand(inner, { ...scope, variables });
      }
      at = end;
    } else if (variable) scope.variables.set(variable, evaluate(value, scope));
    else out += String(evaluate(action, scope));
    out += parts[at + 1];
  }
  return out;
}

function endOf(parts, start) {
  let depth = 0;
  for (let at = start; at < parts.length; at += 2) {
    if (/^(range|if) /.test(parts[at])) depth += 1;
    if (parts[at] === "end" && --depth === 0) return at;
  }
  throw new Error("unexpected EOF in a template");
}

function evaluate(text, scope) {
  const words = text.match(/"[^"]*"|[()]|[^\s()]+/g);
  const [value] = callAt(words, 0, scope);
  return value;
}

/** A function with its arguments, or a value; and where it ends. */
function callAt(words, start, scope) {
  const values = [];
  let at = start;
  while (at < words.length && words[at] !== ")") {
    if (words[at] === "(") {
      const [value, end] = callAt(words, at + 1, scope);
      values.push(value);
      at = end + 1;
    } else values.push(wordValue(words[at++], scope));
  }
  const [first, ...rest] = values;
  return [typeof first === "function" ? first(...rest) : first, at];
}

function wordValue(word, { params, variables }) {
  if (word.startsWith('"')) return word.slice(1, -1);
  if (/^\d+$/.test(word)) return Number(word);
  const [, parameter] = /^\$?\.Params\.(\w+)$/.exec(word) ?? [];
  if (parameter) {
    if (params[parameter] === undefined) throw new Error(`no parameter ${parameter}`);
    return params[parameter];
  }
  if (variables.has(word)) return variables.get(word);
  if (functions[word]) return functions[word];
  throw new Error(`function "${word}" not defined`);
}
