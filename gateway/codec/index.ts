export { Codec } from "./codec";
export { type ContentsRequest, readContents } from "./contents";
