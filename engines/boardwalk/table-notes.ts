import type { IntegerGraph } from "@/compiler";

/** For the report: how functions between layers are made; nothing where there are none. */
export function tableNotes({ nodes }: IntegerGraph): string[] {
  const sizes = nodes.flatMap((node) => (node.op === "table" ? [node.values.length] : []));
  if (sizes.length === 0) return [];
  const entries = [...new Set(sizes)].join(" or ");
  return [
    `Functions between layers are looked up, in a table of ${entries} entries for each value: they are rounded, never computed.`,
  ];
}
