export { builtBoardsQuery, equalBuildsQuery, forecastDeviationsQuery } from "./api";
export { ExpectedAndMeasured } from "./expected-and-measured";
