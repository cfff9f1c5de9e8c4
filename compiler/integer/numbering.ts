/** Numbers things in the order in which they first come. */
export function numbering(): (key: string) => number {
  const numbers = new Map<string, number>();
  return (key) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
}
