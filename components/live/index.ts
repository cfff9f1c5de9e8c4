export { holdQueries } from "./hold-queries";
export { LiveMarker } from "./live-marker";
export { LiveProvider, useLiveState, useLiveStream } from "./live-provider";
export { OutdatedNote } from "./outdated-note";
export { PollingFallback } from "./polling-fallback";
