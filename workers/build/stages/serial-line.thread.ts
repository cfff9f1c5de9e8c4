import { answerThread } from "@/lib/server/process";
import { proveLine } from "./serial-line";

answerThread(proveLine);
