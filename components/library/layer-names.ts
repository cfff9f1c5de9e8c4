import { shortNames } from "@/components/builds";

/** What layers are called beside each other: paths by the parts in which they differ, other names whole. */
export function layerNames(names: readonly string[]): (name: string) => string {
  const short = shortNames(names.filter((name) => name.includes("/")));
  return (name) => short.get(name) || name;
}
