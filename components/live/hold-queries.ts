const held = new Map<string, number>();

const textOf = (queryKey: readonly string[]) => JSON.stringify(queryKey);

/**
 * Keeps changes from asking again for what this tab deletes, until the result is called: the answer would only be that it is gone,
 * on a page that is about to be left.
 */
export function holdQueries(queryKey: readonly string[]): () => void {
  const text = textOf(queryKey);
  held.set(text, (held.get(text) ?? 0) + 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    const others = (held.get(text) ?? 1) - 1;
    if (others > 0) held.set(text, others);
    else held.delete(text);
  };
}

/** Whether changes of exactly this key ask for nothing at the moment. */
export const isHeld = (queryKey: readonly string[]): boolean => held.has(textOf(queryKey));
