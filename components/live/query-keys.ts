import type { ChangeEvent } from "@/lib/common/contract";

/** The queries that a change makes old. An endpoint's change shows on its board too, and a build may have repaired an artifact. */
export function queryKeysOf({ noun, id }: ChangeEvent): readonly (readonly string[])[] {
  switch (noun) {
    case "build":
      return [["builds", id], ["builds", "list"], ["models"], ["artifacts"]];
    case "endpoint":
      return [["endpoints", id], ["endpoints", "list"], ["boards"], ["artifacts", "list"]];
    case "board":
      return [["boards"]];
    case "model":
      return [["models"]];
    case "artifact":
      return [
        ["artifacts", "list"],
        ["artifacts", id, "detail"],
      ];
  }
}
