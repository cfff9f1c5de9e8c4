import { fail } from "@/lib/common/errors";
import { limits } from "./limits";
import { mapAt, messageAt, messagesAt, nameAt, numberAt, numbersAt } from "./wire";

/** Trained numbers under one name. */
export interface SavedVariable {
  readonly name: string;
  readonly shape: readonly number[];
}

/**
 * The variables that a signature reads: others, such as an optimizer's, may be saved beside them.
 *
 * @param objects A `SavedObjectGraph`.
 * @throws {AppError} `MODEL_TOO_COMPLEX`
 */
export function readVariables(objects: Uint8Array, signature: string): SavedVariable[] {
  const nodes = [...messagesAt(objects, 1)];
  const functions = mapAt(objects, 2);
  const bound = new Set<number>();
  for (const node of nodes) {
    for (const child of messagesAt(node, 1)) {
      if (nameAt(child, 2) !== signature) continue;
      const target = nodes[numberAt(child, 1)];
      const name = target && nameAt(messageAt(target, 8), 1);
      const concrete = name === undefined ? undefined : functions.get(name);
      for (const id of concrete ? numbersAt(concrete, 2) : []) bound.add(id);
    }
  }
  if (bound.size > limits.variables) {
    throw fail("MODEL_TOO_COMPLEX", `The model has ${bound.size} variables.`);
  }
  return [...bound].flatMap((id) => {
    const variable = messageAt(nodes[id] ?? new Uint8Array(), 7);
    if (variable.length === 0) return [];
    const shape = Array.from(messagesAt(messageAt(variable, 2), 2), (size) => numberAt(size, 1));
    return [{ name: nameAt(variable, 6), shape }];
  });
}
