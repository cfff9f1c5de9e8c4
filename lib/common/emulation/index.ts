export {
  maxQuestionBytes,
  questionOf,
  type Reply,
  ReplyReader,
  replyKinds,
  requireGreeting,
} from "./frames";
