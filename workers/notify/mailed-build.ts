/** What an e-mail tells of a build. */
export interface MailedBuild {
  readonly state: string;
  readonly endpointName: string | null;
  readonly modelUrl: string;
  readonly engine: string;
  readonly boardModel: string;
  readonly message: string | null;
  readonly took: string | null;
  /** Page of the build. */
  readonly url: string;
}

/** Of names and addresses that others chose, one line. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/** Subject and text of an e-mail about a build; of a test where there is none. */
export function mailOf(build: MailedBuild | undefined): {
  readonly subject: string;
  readonly text: string;
} {
  if (!build)
    return {
      subject: "Boardwalk: test message",
      text: "This is a test: Boardwalk can send you e-mail.\n",
    };
  const { state, endpointName, modelUrl, engine, boardModel, message, took, url } = build;
  const name = oneLine(endpointName ?? modelUrl).slice(0, 100);
  const words = state.replace("_", " ");
  const lines = [
    `The build of ${name} ${took === null ? "" : `took ${took} and `}${words === "succeeded" ? "succeeded" : `ended: ${words}`}.`,
    message === null ? null : `\n${oneLine(message).slice(0, 2000)}`,
    "",
    `Model:  ${oneLine(modelUrl)}`,
    `Engine: ${engine}`,
    `Board:  ${boardModel}`,
    "",
    url,
  ];
  return {
    subject: `Boardwalk: ${name}, build ${words}`,
    text: `${lines.filter((line) => line !== null).join("\n")}\n`,
  };
}

/** `41 s`, `1 min 04 s`. */
export function formatDurationMs(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60)
    return durationMs < 10_000 ? `${(durationMs / 1000).toFixed(1)} s` : `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
