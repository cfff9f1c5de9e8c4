/**
 * Entries of every ONNX Runtime session that serves a model, or says what a served model will answer.
 *
 * ONNX Runtime rewrites graphs before they run. Its `Pad_Fusion` makes zeros before a `MaxPool` part of the pool's own
 * margin, which is −∞ and loses against negative values; and it widens margins to more than a pool may have, so that the
 * model does not load.
 */
export const faithfulRewriting = {
  optimization: { disable_specified_optimizers: "Pad_Fusion" },
} as const;

/** Options of a session on one core that says what a model answers, for whoever judges or shows that. */
export const judgeOptions = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
  extra: faithfulRewriting,
} as const;
