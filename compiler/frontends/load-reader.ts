import { loadHdf5 } from "./keras";
import type { Format } from "./sniff";

/** Makes ready what reading a format needs. Await it before reading, which is synchronous. */
export async function loadReader(format: Format): Promise<void> {
  if (format === "keras" || format === "keras-h5") await loadHdf5();
}
