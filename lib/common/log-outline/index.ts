export { comparableLine } from "./comparable-line";
export { emptyOutline, extendOutline } from "./outline";
export { type ProblemId, problemPatterns } from "./patterns";
export { plainLine } from "./plain-line";
