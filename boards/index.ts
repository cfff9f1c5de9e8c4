export {
  type BoardModel,
  boardEntrySchema,
  type Drawing,
  type Flow,
  type Part,
  partSchema,
  programmerSchema,
  type Resources,
} from "./schema";
