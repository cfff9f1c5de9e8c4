export { meQuery } from "./me-query";
