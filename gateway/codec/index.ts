export { Codec } from "./codec";
export { type ContentsRequest, readContents } from "./contents";
export { copyInSteps } from "./copy-in-steps";
