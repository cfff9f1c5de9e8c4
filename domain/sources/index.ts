export { isPublicAddress } from "./addresses";
export {
  followRedirect,
  ledAstray,
  parseSourceUrl,
  type SourcePolicy,
  type SourceUrl,
} from "./source-policy";
