import { useState } from "react";
import { modelTitle } from "@/components/ui";
import { suggestName } from "./draft";

/** A free name made from the model's, or from that of the file that was uploaded to `url`. */
export function useSuggestedName(url: string, taken: readonly string[]) {
  // A stored file's address has its digest for a name; people know it by another.
  const [uploaded, setUploaded] = useState({ url: "", fileName: "" });
  const title = uploaded.url === url ? uploaded.fileName : modelTitle(url);
  return {
    suggestion: url === "" ? "" : suggestName(title, taken),
    rememberFile: (stored: string, fileName: string) => setUploaded({ url: stored, fileName }),
  };
}
