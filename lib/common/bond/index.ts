export {
  type BondAnswer,
  countBondOutputs,
  readBondAnswers,
  writeBondAnswers,
} from "./answers";
export { type RowForm, readBondInputs, writeBondInputs } from "./inputs";
export {
  archOf,
  type BondArch,
  bondArchSchema,
  firmwareNameSchema,
  grpcAddressSchema,
} from "./names";
