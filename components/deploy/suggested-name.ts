import { modelTitle } from "@/components/ui";
import { type Draft, fileNameOf, nameFrom } from "./draft";

/** A name made from the model's, or from that of the file that was uploaded; empty without a model. */
export function suggestedName(draft: Pick<Draft, "url" | "upload">): string {
  const url = draft.url.trim();
  return url === "" ? "" : nameFrom(fileNameOf(draft) ?? modelTitle(url));
}
