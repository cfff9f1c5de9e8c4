import { z } from "zod";

/** What was expected of a build before any tool had run: the same figures that the report then measures. */
export const expectationSchema = z.object({
  /** Of the part: `ice40`, `ecp5`, … */
  family: z.string(),
  /** How the core is built: `array`, `unrolled`, `trees`, … */
  architecture: z.string(),
  clockHz: z.number(),
  figures: z.object({
    lut: z.number(),
    /** Not of builds of old, which did not forecast it. */
    ff: z.number().optional(),
    bram: z.number(),
    dsp: z.number(),
    cycles: z.number(),
    seconds: z.number(),
  }),
});
/** A forecast as it is kept with the build, to be held against the report. */
export type Expectation = z.infer<typeof expectationSchema>;
/** What a forecast is judged by; `clock` is the clock that placement reached. */
export type ForecastFigure = keyof Expectation["figures"] | "clock";

/** Every figure that deviations are kept of, in the order in which they are shown. */
export const forecastFigures = [
  "lut",
  "ff",
  "bram",
  "dsp",
  "cycles",
  "seconds",
  "clock",
] as const satisfies readonly ForecastFigure[];

/** How far the forecasts of one kind of design were off, over the finished builds of this installation. */
export const forecastDeviationSchema = z.object({
  family: z.string(),
  architecture: z.string(),
  figure: z.enum(forecastFigures),
  builds: z.number().int(),
  /** Measured by expected: the middle one, and those that a tenth of the builds lie below and above. */
  medianRatio: z.number(),
  lowRatio: z.number(),
  highRatio: z.number(),
  /** The middle one of `|measured − expected| / measured`. */
  medianError: z.number(),
});
/** How far forecasts of one figure may be trusted here. */
export type ForecastDeviation = z.infer<typeof forecastDeviationSchema>;
