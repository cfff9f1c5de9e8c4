// As a whole: an old Node that lacks `parseArgs` must get as far as being told so.
import util from "node:util";
import { end, Fixable } from "./say.mjs";

/** The options and names of a command, as `util.parseArgs` takes them; one that is unknown ends it in a sentence. */
export function parseOptions(config) {
  try {
    return (
      util.parseArgs?.({ allowPositionals: false, ...config }) ?? { values: {}, positionals: [] }
    );
  } catch (error) {
    return end(new Fixable(error.message));
  }
}
