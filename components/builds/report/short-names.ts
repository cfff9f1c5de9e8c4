/**
 * The parts of names by which they differ, for names like `net/dense_1/MatMul` and `net/dense_2/MatMul`: what all of them
 * begin and end with is left out, and the first part where most begin with it. A lone name loses its operator.
 */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const whole = [...new Set(names)];
  const split = withoutRoot(whole.map((name) => name.split("/")));
  const shortest = Math.min(...split.map(({ length }) => length));
  const alike = (at: (parts: readonly string[]) => string | undefined) =>
    new Set(split.map(at)).size === 1;
  let head = 0;
  while (head < shortest - 1 && alike((parts) => parts[head])) head += 1;
  let tail = 0;
  while (tail < shortest - 1 - head && alike((parts) => parts[parts.length - 1 - tail])) tail += 1;
  if (split.length === 1) [head, tail] = shortest > 1 ? [shortest - 2, 1] : [0, 0];
  return new Map(
    split.map((parts, at) => [whole[at] ?? "", parts.slice(head, parts.length - tail).join("/")]),
  );
}

/** Without the first part that more than half of the names have, such as the model's own name. */
function withoutRoot(split: readonly string[][]): readonly string[][] {
  const root = split.find((parts) => {
    const alike = split.filter(([first, ...rest]) => first === parts[0] && rest.length > 0);
    return alike.length > split.length / 2;
  })?.[0];
  if (root === undefined) return split;
  const bare = split.map((parts) =>
    parts[0] === root && parts.length > 1 ? parts.slice(1) : parts,
  );
  return new Set(bare.map((parts) => parts.join("/"))).size === split.length ? bare : split;
}
