import { fail } from "@/lib/common/errors";
import { quoted } from "../../graph/words";
import { limits } from "./limits";
import { checkOperator } from "./operators";
import { mapAt, messageAt, messagesAt, nameAt } from "./wire";

/** A node as far as it is looked at: its operator and the functions that it calls. */
interface Node {
  readonly name: string;
  readonly operator: string;
  readonly calls: readonly string[];
}

type Functions = ReadonlyMap<string, readonly Node[]>;

/**
 * Looks at every node of a graph and of its functions, whoever calls them.
 *
 * @param graph A `GraphDef`.
 * @param saver The `SaverDef`: which nodes of the graph save and restore variables.
 * @param called Functions that TensorFlow calls by name.
 * @throws {AppError} as `checkOperator`; `MODEL_CYCLE`, `MODEL_TOO_COMPLEX`.
 */
export function checkFunctions(
  graph: Uint8Array,
  saver: Uint8Array,
  called: Iterable<string>,
): void {
  const count = counter();
  const nodes = readNodes(graph, 1, count);
  const functions = new Map<string, Node[]>();
  for (const definition of messagesAt(messageAt(graph, 2), 1)) {
    const name = nameAt(messageAt(definition, 1), 1);
    if (functions.has(name))
      throw fail("MODEL_INVALID", `Function ${quoted(name)} is there twice.`);
    if (functions.size >= limits.functions) throw tooMany("functions", limits.functions);
    functions.set(name, readNodes(definition, 3, count));
  }
  refuseCycles(functions);

  const savers = new Set([2, 3].map((field) => nameAt(saver, field).replace(/:\d+$/, "")));
  const own = nodes.filter(({ name }) => !savers.has(name));
  const used = reach(functions, [...called, ...own.flatMap(({ calls }) => calls)]);
  for (const { operator } of nodes) checkOperator(operator, { isSaver: false });
  for (const [name, body] of functions) {
    for (const { operator } of body) checkOperator(operator, { isSaver: !used.has(name) });
  }
}

function readNodes(message: Uint8Array, number: number, count: () => void): Node[] {
  return Array.from(messagesAt(message, number), (node) => {
    count();
    const operator = nameAt(node, 2);
    return { name: nameAt(node, 1), operator, calls: [operator, ...functionsIn(node)] };
  });
}

/** Functions that a node's attributes name, also inside the attributes of those. */
function functionsIn(node: Uint8Array): string[] {
  const names: string[] = [];
  let level = [...mapAt(node, 5).values()];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= limits.depth) throw fail("MODEL_TOO_COMPLEX", "A node is nested too deeply.");
    const functions = level.flatMap((value) => [
      ...messagesAt(value, 10),
      ...[...messagesAt(value, 1)].flatMap((list) => [...messagesAt(list, 9)]),
    ]);
    names.push(...functions.map((each) => nameAt(each, 1)));
    level = functions.flatMap((each) => [...mapAt(each, 2).values()]);
  }
  return names;
}

function reach(functions: Functions, from: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const body = functions.get(name);
    if (!body || reached.has(name)) continue;
    reached.add(name);
    for (const { calls } of body) open.push(...calls);
  }
  return reached;
}

/** A function that ends up in itself has no end as a graph. Walked without recursion: the file says how deep it goes. */
function refuseCycles(functions: Functions): void {
  const done = new Set<string>();
  for (const start of functions.keys()) {
    const path = new Set<string>();
    const open: (readonly [name: string, isEnd: boolean])[] = [[start, false]];
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      const [name, isEnd] = entry;
      if (isEnd) {
        path.delete(name);
        done.add(name);
        continue;
      }
      if (path.has(name)) {
        throw fail("MODEL_CYCLE", `Function ${quoted(name)} of the model calls itself.`);
      }
      const body = functions.get(name);
      if (!body || done.has(name)) continue;
      path.add(name);
      open.push([name, true]);
      for (const called of new Set(body.flatMap(({ calls }) => calls))) open.push([called, false]);
    }
  }
}

function counter(): () => void {
  let nodes = 0;
  return () => {
    nodes += 1;
    if (nodes > limits.nodes) throw tooMany("nodes", limits.nodes);
  };
}

const tooMany = (what: string, limit: number) =>
  fail("MODEL_TOO_COMPLEX", `The model has more than ${limit.toLocaleString("en")} ${what}.`);
