export { bucketFromUs, bucketOf, latencyBuckets } from "./buckets";
export { addLatencies, type LatencyCounts, latencySteps, quantileUs } from "./histogram";
