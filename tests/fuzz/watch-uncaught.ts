/** Writes down what nobody caught in this process until it is closed: in the product each would end its process. */
export function watchUncaught(): { readonly seen: unknown[]; close(): void } {
  const seen: unknown[] = [];
  const note = (error: unknown) => seen.push(error);
  const others = process.listeners("uncaughtException");
  const rejected = process.listeners("unhandledRejection");
  process.removeAllListeners("uncaughtException").on("uncaughtException", note);
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", note);
  return {
    seen,
    close() {
      process.off("uncaughtException", note).off("unhandledRejection", note);
      for (const each of others) process.on("uncaughtException", each);
      for (const each of rejected) process.on("unhandledRejection", each);
    },
  };
}
