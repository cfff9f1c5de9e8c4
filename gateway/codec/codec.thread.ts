import { answerThread, lowerThreadPriority } from "@/lib/server/process";
import { buffersIn, type CodecRequest, doCodecWork } from "./codec-work";

// One large message must not cost all small ones their core.
lowerThreadPriority();
answerThread((request: CodecRequest) => doCodecWork(request), {
  transfer: (answer) => [...buffersIn(answer)],
});
