/** Seconds that a build of so many logic cells takes on a machine with two cores, from its beginning to its artifact. */
export const buildSeconds = (lut: number): number => Math.round(8 + lut / 100);
