export { LiveMarker } from "./live-marker";
export { LiveProvider, useLiveState, useLiveStream } from "./live-provider";
export { PollingFallback } from "./polling-fallback";
