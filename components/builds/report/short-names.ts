/**
 * The parts of names by which they differ, for names like `net/dense_1/MatMul` and `net/dense_2/MatMul`: what all of them
 * begin and end with is left out. A lone name loses its operator.
 */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const split = [...new Set(names)].map((name) => name.split("/"));
  const shortest = Math.min(...split.map(({ length }) => length));
  const alike = (at: (parts: readonly string[]) => string | undefined) =>
    new Set(split.map(at)).size === 1;
  let head = 0;
  while (head < shortest - 1 && alike((parts) => parts[head])) head += 1;
  let tail = 0;
  while (tail < shortest - 1 - head && alike((parts) => parts[parts.length - 1 - tail])) tail += 1;
  if (split.length === 1) [head, tail] = shortest > 1 ? [shortest - 2, 1] : [0, 0];
  return new Map(
    split.map((parts) => [parts.join("/"), parts.slice(head, parts.length - tail).join("/")]),
  );
}
