export { writeTraffic } from "./commands";
export { listEndpointLog } from "./endpoint-log";
export { listTraffic } from "./lists";
export { setPayloadsKept } from "./payloads";
export { getTraffic } from "./queries";
export { getRequest, listRequests } from "./requests";
export { rollUpTraffic } from "./roll-up";
export { type AnsweredRequest, type CountedMinute, noEndpoint, type TrafficBatch } from "./types";
