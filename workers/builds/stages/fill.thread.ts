import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Filling, fillBlanks } from "@/boards";
import type { FillStep } from "@/engines";
import { answerThread } from "@/lib/server/process";
import { readProduct } from "../tools/products";

/** Fills the blanks of a mapped netlist in the work folder, and counts its cells. */
export interface FillTask
  extends Pick<FillStep, "mapped" | "top" | "filling" | "netlist" | "cells"> {
  readonly work: string;
}

answerThread(({ work, mapped, top, filling, netlist, cells }: FillTask) => {
  const text = readProduct(work, mapped).toString("utf8");
  const given: Filling = JSON.parse(readProduct(work, filling).toString("utf8"));
  const { blanks, netlist: filled, counts } = fillBlanks(text, top, given);
  writeFileSync(join(work, netlist), filled);
  writeFileSync(join(work, cells), JSON.stringify(counts));
  return blanks;
});
