export {
  type Command,
  enrolRequestSchema,
  enrolResponseSchema,
  type LoadCommand,
  loadCommandSchema,
  pollRequestSchema,
  pollResponseSchema,
  type SlotReport,
  slotReportSchema,
  type TensorAddress,
} from "@/lib/common/contract";
export { boardServerHeaders, inferHeaders, signedText } from "./headers";
