export { getStorageUse } from "./queries";
