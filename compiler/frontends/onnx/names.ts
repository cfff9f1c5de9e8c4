import type { OnnxNode } from "@/proto/onnx";
import { normalDomain } from "./operators";

/** Gives every node a name of its own: the file's, or one made from operator and position. */
export function nodeNames(nodes: readonly OnnxNode[]): string[] {
  const taken = new Set<string>();
  return nodes.map((node, index) => {
    const wished = node.name === "" ? `${node.opType}_${index}` : node.name;
    let name = wished;
    while (taken.has(name)) name = `${name}_${index}`;
    taken.add(name);
    return name;
  });
}

/** An operator as people say it: `Relu`, `ai.onnx.ml.Scaler`. */
export function operatorInWords({ domain, opType }: Pick<OnnxNode, "domain" | "opType">): string {
  const plain = normalDomain(domain);
  return plain === "" ? opType : `${plain}.${opType}`;
}
