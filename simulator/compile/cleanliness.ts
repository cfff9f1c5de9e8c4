import type { IntegerType } from "@/lib/common/wasm";
import { maskOf, type Node } from "./circuit";

/** The machine type that holds a node. */
export const typeOf = (node: Node): IntegerType => (node.width <= 32 ? "i32" : "i64");
export const machineBits = (node: Node): number => (node.width <= 32 ? 32 : 64);

/**
 * A machine word is *clean* when the bits above the node's width are 0. Most operations do not care, so masks
 * are made only where somebody does and the operation leaves dirt.
 */
export interface Cleanliness {
  isClean(node: Node): boolean;
  /** Whether the node is masked right after it is computed. */
  isMasked(node: Node): boolean;
}

/** @param order Every node used, operands first. @param wanted Nodes that must be clean for reasons of their own. */
export function analyse(order: readonly Node[], wanted: Iterable<Node>): Cleanliness {
  const needed = new Set<Node>(wanted);
  for (const node of order) {
    node.args.forEach((arg, position) => {
      if (needsClean(node, position)) needed.add(arg);
    });
  }
  const clean = new Set<Node>();
  const masked = new Set<Node>();
  for (const node of order) {
    if (isNaturallyClean(node, clean)) clean.add(node);
    else if (needed.has(node)) {
      clean.add(node);
      masked.add(node);
    }
  }
  return { isClean: (node) => clean.has(node), isMasked: (node) => masked.has(node) };
}

/** Whether `user` needs its operand at `position` clean. */
function needsClean(user: Node, position: number): boolean {
  switch (user.op) {
    case "not":
      return user.width === 1;
    case "divu":
    case "remu":
    case "shru":
    case "eq":
    case "ltu":
    case "zext":
    case "parity":
    case "read":
      return true;
    case "shl":
    case "shrs":
      return position === 1;
    case "mux":
      return position === 0;
    case "concat":
      return position < user.args.length - 1;
    default:
      return false;
  }
}

function isNaturallyClean(node: Node, clean: ReadonlySet<Node>): boolean {
  if (node.width === machineBits(node)) return true;
  const [first, second, third] = node.args;
  const has = (arg: Node | undefined): boolean => arg !== undefined && clean.has(arg);
  switch (node.op) {
    case "const":
    case "load":
    case "read":
    case "eq":
    case "ltu":
    case "lts":
    case "parity":
    case "zext":
    case "divu":
    case "remu":
    case "shru":
      return true;
    case "not":
      return has(first);
    case "and":
      return has(first) || has(second);
    case "or":
    case "xor":
      return has(first) && has(second);
    case "mux":
      return has(second) && has(third);
    case "slice":
      return has(first) && node.index + node.width === first?.width;
    case "concat":
      return has(node.args.at(-1));
    default:
      return false;
  }
}

export const maskConstant = (node: Node): bigint => maskOf(node.width);
