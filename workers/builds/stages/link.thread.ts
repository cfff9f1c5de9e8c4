import { answerThread } from "@/lib/server/process";
import { type AxiTask, proveAxi } from "./prove-axi";
import { proveLine, type SerialLineTask } from "./serial-line";

/** A proof over the link that a design has. */
export type LinkTask =
  | (SerialLineTask & { readonly link: "uart" })
  | (AxiTask & { readonly link: "axi" });

answerThread((task: LinkTask) => (task.link === "axi" ? proveAxi(task) : proveLine(task)));
