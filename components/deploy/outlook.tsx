import { Amount, formatCount, quantityOfBytes } from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";

/** What a build does, step by step, where no forecast can be shown. */
export function Outlook({
  facts,
  isFirmware,
  proves,
  boardName,
}: {
  facts: Inspection | undefined;
  isFirmware: boolean;
  /** Whether the engine proves what it makes. */
  proves: boolean;
  boardName: string | null;
}) {
  const where = boardName ?? "the board";
  return (
    <div className="mb-5">
      <h2 className="mb-2">What will happen</h2>
      {facts ? (
        <p className="mb-3 text-dense">
          <Amount {...quantityOfBytes(facts.sizeBytes)} />
          {facts.firmware ? "." : `, ${formatCount(facts.parameters)} parameters.`}
        </p>
      ) : null}
      <ol className="grid gap-2 text-dense">
        {stepsOf({ isFinished: facts?.firmware != null, isFirmware, proves }, where).map(
          (text, index) => (
            <li key={text} className="grid grid-cols-[20px_1fr]">
              <span className="text-muted">{index + 1}</span>
              {text}
            </li>
          ),
        )}
      </ol>
      {facts ? null : (
        <p className="mt-3 text-dense text-muted">
          Give a model to see a forecast: cells, cycles and build time.
        </p>
      )}
    </div>
  );
}

/** The steps from model to answers, on a board called `where`. */
function stepsOf(
  build: { isFinished: boolean; isFirmware: boolean; proves: boolean },
  where: string,
): readonly string[] {
  if (build.isFinished) {
    return [
      "The firmware is fetched and judged byte for byte.",
      "It is stored as it came. Nothing of it is built or proven here.",
      `${where} loads it, answers the test vectors that it has, and serves.`,
    ];
  }
  if (!build.proves) {
    return [
      "The model is fetched and read, never run, before anything else.",
      "Its firmware is made elsewhere, judged byte for byte, and stored. Nothing proves here that it answers as the model.",
      `${where} loads it and serves.`,
    ];
  }
  if (!build.isFirmware) {
    return [
      "The model is fetched and read, never run, before anything else.",
      "It is run against its test rows and stored as a signed artifact.",
      `${where} loads it in seconds and answers the test rows again.`,
    ];
  }
  return [
    "The model is fetched, read and turned into integers.",
    `A circuit is made, placed and timed for ${where}.`,
    "The circuit is simulated and must equal the integers bit for bit.",
    `${where} loads it, answers the test vectors, and only then serves.`,
  ];
}
