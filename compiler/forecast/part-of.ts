import type { BoardModel } from "@/boards";
import { type ArrayPart, arrayPart } from "../target/part";

/** A board's part as cores are designed for it. */
export const partOf = ({ part: { resources, family } }: BoardModel): ArrayPart =>
  arrayPart({ part: resources, family });
