export { boardServerHeaders, inferHeaders, signedText } from "./headers";
export {
  type Command,
  commandSchema,
  enrolRequestSchema,
  enrolResponseSchema,
  type LoadCommand,
  loadCommandSchema,
  offeredBoardSchema,
  pollRequestSchema,
  pollResponseSchema,
  type SlotReport,
  slotReportSchema,
  type TensorAddress,
  tensorAddressSchema,
} from "./messages";
