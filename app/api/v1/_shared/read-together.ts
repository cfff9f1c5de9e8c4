const waiting = new Map<string, Promise<unknown>>();

/**
 * Reads the same once for all who ask at the same moment: a hundred streams wake by one ring. Who asks once the reading has
 * begun has it read again, so that no answer is older than its question.
 *
 * @param key What is read, and for whom.
 */
export function readTogether<T>(key: string, read: () => Promise<T>): Promise<T> {
  const known = waiting.get(key);
  if (known !== undefined) return known as Promise<T>;
  const answer = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
    waiting.delete(key);
    return read();
  });
  waiting.set(key, answer);
  return answer;
}
