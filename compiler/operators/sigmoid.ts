import { firstHead } from "../model/head";
import { elementwise } from "./elementwise";
import type { Operator } from "./operator";

/** Between layers a function of single values; of the last scores, the host's. */
export const sigmoid: Operator = {
  ...elementwise["Sigmoid"],
  beginsHead: true,
  head: (view) => firstHead(view, "sigmoid"),
};
