import { answerThread } from "@/lib/server/process";
import { runShell } from "./shell";

answerThread(runShell);
