import { append, mapOf, wholeOf } from "../model/maps/chain";
import { elementwise } from "./elementwise";
import type { Operator } from "./operator";

export const relu: Operator = {
  ...elementwise["Relu"],
  takesJoinedRows: true,
  read: ({ node, chain, value }) => {
    const own = wholeOf(chain, value(0), node);
    const output = mapOf(chain, own);
    const layer = append(chain, { kind: "relu", name: node.name, from: own.layer, output });
    return { ...own, layer };
  },
};
