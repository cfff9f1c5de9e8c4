import type { OnnxNode } from "@/proto/onnx";
import type { Attribute } from "../../graph/graph";
import { readTensor } from "./tensor";

const text = new TextDecoder();

/** Attributes of a node as plain values. Subgraphs are left out: only the CPU engine runs those. */
export function readAttributes(node: OnnxNode, nodeName: string): Record<string, Attribute> {
  const entries: [string, Attribute][] = [];
  for (const attribute of node.attribute) {
    const value = plainValue(attribute, nodeName);
    if (value !== null) entries.push([attribute.name, value]);
  }
  return Object.fromEntries(entries);
}

function plainValue(attribute: OnnxNode["attribute"][number], nodeName: string): Attribute | null {
  switch (kindOf(attribute)) {
    case 1:
      return attribute.f;
    case 2:
      return Number(attribute.i);
    case 3:
      return text.decode(attribute.s);
    case 4:
      return attribute.t ? readTensor(attribute.t, `${nodeName}.${attribute.name}`) : null;
    case 6:
      return attribute.floats;
    case 7:
      return attribute.ints.map(Number);
    case 8:
      return attribute.strings.map((each) => text.decode(each));
    default:
      return null;
  }
}

/** Old files leave the type out; then the field that is filled tells it. */
function kindOf(attribute: OnnxNode["attribute"][number]): number {
  if (attribute.type !== 0) return attribute.type;
  if (attribute.t) return 4;
  if (attribute.floats.length > 0) return 6;
  if (attribute.ints.length > 0) return 7;
  if (attribute.s.length > 0) return 3;
  return attribute.f === 0 ? 2 : 1;
}
