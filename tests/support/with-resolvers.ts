/** A promise, and what resolves it: `Promise.withResolvers` of later versions of Node. */
export function withResolvers(): {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
} {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
