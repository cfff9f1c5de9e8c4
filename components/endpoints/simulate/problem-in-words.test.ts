import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { messages as english } from "@/messages/en";
import { messages as italian } from "@/messages/it";
import { fromProblemData, Problem, toProblemData } from "./problem";
import { problemInWords } from "./problem-in-words";

const inEnglish = createTranslator({ locale: "en", messages: english, namespace: "simulate" });
const inItalian = createTranslator({ locale: "it", messages: italian, namespace: "simulate" });
/** From the worker to the page, as `postMessage` has it. */
const sent = (error: unknown) => fromProblemData(structuredClone(toProblemData(error)));

describe("a problem of the worker", () => {
  it("gets its words in the page, in the page's language", () => {
    const missing = sent(new Problem("missing", { role: "simulation", said: "Gone." }));
    expect(problemInWords(missing, inEnglish)).toMatchObject({
      code: "not_found",
      reason: "ARTIFACT_MISSING",
      message: "The simulation file of this artifact is missing: Gone.",
      hint: "Build the model again: this makes the artifact anew.",
    });
    expect(problemInWords(missing, inItalian)).toMatchObject({
      reason: "ARTIFACT_MISSING",
      message: "Manca il file di simulazione di questo artefatto: Gone.",
    });
  });

  it("keeps its numbers", () => {
    const silent = sent(new Problem("noAnswer", { cycles: 50_000_000 }));
    expect(problemInWords(silent, inItalian)).toMatchObject({
      reason: "LINK_FAILED",
      message: "Il progetto non ha risposto entro 50,000,000 cicli di clock.",
    });
  });

  it("is left as it was said where others said it", () => {
    const said = fail("LINK_FAILED", "The core framed its answer wrongly.", { hint: "Look." });
    expect(problemInWords(sent(said), inItalian)).toMatchObject({
      reason: "LINK_FAILED",
      message: "The core framed its answer wrongly.",
      hint: "Look.",
    });
  });
});
