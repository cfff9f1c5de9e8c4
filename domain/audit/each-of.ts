/** Calls a function for each, some at a time. */
export async function eachOf<T>(
  items: readonly T[],
  most: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (const item of left) await run(item);
    }),
  );
}
