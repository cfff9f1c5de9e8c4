"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext } from "react";
import type { Drawing } from "@/boards";

/** What every screen needs of a board model: its name and its drawing. */
export interface BoardFacts {
  readonly name: string;
  readonly drawing: Drawing;
  /** Cells of its FPGA, for shares; 0 for a CPU. */
  readonly cells: number;
}

/** Facts about board models, by their ids. */
export type Catalogue = Readonly<Record<string, BoardFacts>>;

const CatalogueContext = createContext<Catalogue>({});

/** Gives all below it the catalogue, so that names and drawings are there at once. */
export function CatalogueProvider({
  catalogue,
  children,
}: {
  catalogue: Catalogue;
  children: ReactNode;
}) {
  return <CatalogueContext value={catalogue}>{children}</CatalogueContext>;
}

const unknownDrawing: Drawing = {
  widthMm: 60,
  heightMm: 40,
  package: "qfp",
  pinsPerSide: 10,
  chipMm: 14,
  usb: "none",
  headers: [],
  leds: 0,
};

/** Facts of a board model; of one that this portal does not know, its id and a plain outline. */
export function useBoardFacts(boardModel: string): BoardFacts {
  const catalogue = useContext(CatalogueContext);
  return catalogue[boardModel] ?? { name: boardModel, drawing: unknownDrawing, cells: 0 };
}

/** `iCEBreaker (simulated)`: how a board is called in a sentence. */
export function useBoardTitle(boardModel: string, kind: string): string {
  return useBoardTitles()(boardModel, kind);
}

/** The same as a function, where there are several boards. */
export function useBoardTitles(): (boardModel: string, kind: string) => string {
  const t = useTranslations("boards");
  const catalogue = useContext(CatalogueContext);
  return (boardModel, kind) => {
    const name = catalogue[boardModel]?.name ?? boardModel;
    return kind === "simulated" ? t("simulatedTitle", { name }) : name;
  };
}
