import { z } from "zod";
import { samples } from "@/components/models";
import type { Draft } from "./draft";

/** What the address of the page asks for: `?sample=digits-mlp&engine=onnx`. */
export interface DeployStart {
  readonly sample?: string | undefined;
  readonly model?: string | undefined;
  readonly engine?: string | undefined;
  readonly board?: string | undefined;
  /** JSON of the engine's options. */
  readonly options?: string | undefined;
  /** The endpoint that gets a further revision, and the revision to begin with; left out: the one that answers. */
  readonly endpoint?: string | undefined;
  readonly revision?: string | undefined;
  /** The recipe that the form is to be filled in with. */
  readonly recipe?: string | undefined;
  /** The build that is to be asked for again. */
  readonly build?: string | undefined;
}

/** The answers that the address of the page gives. */
export function startDraft({ sample, model, engine, board, options }: DeployStart): Partial<Draft> {
  const url = model ?? samples.find(({ id }) => id === sample)?.url;
  return {
    ...(url === undefined ? {} : { url }),
    ...(engine === undefined ? {} : { engine }),
    ...(engine === undefined && board === undefined ? {} : { settled: true }),
    ...(options === undefined ? {} : { options: parseOptions(options) }),
    ...(engine === "onnx" ? { board: { model: "cpu", kind: "cpu" } as const } : {}),
    ...(board === undefined
      ? {}
      : { board: { model: board, kind: board === "cpu" ? "cpu" : "simulated" } as const }),
  };
}

/** Options as an address carries them; what cannot be read is left out. */
function parseOptions(text: string): Draft["options"] {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return {};
  }
}
