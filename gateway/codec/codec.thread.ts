import { answerThread } from "@/lib/server/process";
import { buffersIn, type CodecRequest, doCodecWork } from "./codec-work";

answerThread((request: CodecRequest) => doCodecWork(request), {
  transfer: (answer) => [...buffersIn(answer)],
});
