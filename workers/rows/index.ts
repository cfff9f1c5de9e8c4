export { batchOf, type Feed, makeFeeds, takesRows, tensorsOfRows } from "./feeds";
export { withGivenRange } from "./given-range";
export { readInThread } from "./read-in-thread";
export { settleRows } from "./settle-rows";
export { countSharedRows } from "./shared-rows";
export { type SplitRows, splitRows } from "./split-rows";
