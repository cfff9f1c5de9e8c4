export { daysFromNow, LifeField } from "./life-field";
export { RevokeDialog } from "./revoke-dialog";
