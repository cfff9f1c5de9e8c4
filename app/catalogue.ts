import { listBoardModels } from "@/boards";
import type { Catalogue } from "@/components/boards";

/** Names and drawings of all board models: little enough to travel with the page. */
export function loadCatalogue(): Catalogue {
  return Object.fromEntries(
    listBoardModels().map(({ id, name, drawing, part }) => [
      id,
      { name, drawing, cells: part.resources.lut },
    ]),
  );
}
