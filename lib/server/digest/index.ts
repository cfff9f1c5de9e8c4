export { DigestStream, digestOf, digestOfJson, hexOf } from "./digest";
