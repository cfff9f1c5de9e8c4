import { modelTitle } from "@/components/ui";
import { type Draft, fileNameOf, suggestName } from "./draft";

/** A free name made from the model's, or from that of the file that was uploaded. */
export function suggestedName(
  draft: Pick<Draft, "url" | "upload">,
  taken: readonly string[],
): string {
  const url = draft.url.trim();
  return url === "" ? "" : suggestName(fileNameOf(draft) ?? modelTitle(url), taken);
}
