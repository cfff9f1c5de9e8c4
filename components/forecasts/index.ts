export { equalBuildsQuery, forecastErrorsQuery } from "./api";
export { ExpectedAndMeasured } from "./expected-and-measured";
