/**
 * The strongly connected components of a graph, each before those that lead to it (Tarjan, without recursion).
 *
 * @param successors For each vertex, where its edges lead.
 */
export function components(successors: readonly (readonly number[])[]): number[][] {
  const found: number[][] = [];
  const order = new Map<number, number>();
  const lowest: number[] = [];
  const open: number[] = [];
  const isOpen = new Set<number>();
  const path: { vertex: number; next: number }[] = [];
  const enter = (vertex: number): void => {
    lowest[vertex] = order.size;
    order.set(vertex, order.size);
    open.push(vertex);
    isOpen.add(vertex);
    path.push({ vertex, next: 0 });
  };
  const lower = (vertex: number, to: number): void => {
    lowest[vertex] = Math.min(lowest[vertex] ?? to, to);
  };
  const leave = (vertex: number): void => {
    path.pop();
    const above = path.at(-1);
    if (above) lower(above.vertex, lowest[vertex] ?? 0);
    if (lowest[vertex] !== order.get(vertex)) return;
    const component = open.splice(open.lastIndexOf(vertex));
    for (const each of component) isOpen.delete(each);
    found.push(component);
  };
  for (let root = 0; root < successors.length; root++) {
    if (!order.has(root)) enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const successor = successors[top.vertex]?.[top.next++];
      if (successor === undefined) leave(top.vertex);
      else if (!order.has(successor)) enter(successor);
      else if (isOpen.has(successor)) lower(top.vertex, order.get(successor) ?? 0);
    }
  }
  return found;
}
