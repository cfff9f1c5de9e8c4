import { afterHead, plainHead } from "../model/head";
import { elementwise } from "./elementwise";
import type { Operator } from "./operator";

/** Between layers a function of single values; of the last scores, the host's. */
export const sigmoid: Operator = {
  ...elementwise["Sigmoid"],
  beginsHead: true,
  head: (view) => {
    if (view.head) throw afterHead(view);
    return plainHead("sigmoid");
  },
};
