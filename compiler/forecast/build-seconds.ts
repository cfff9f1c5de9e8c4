/**
 * Seconds that a build of so many logic cells takes on a machine with two cores, from its beginning to its artifact. Fitted
 * to 18 designs for ECP5 and two whole builds for UP5K; each further clock that has to be tried costs another placing.
 */
export const buildSeconds = (lut: number): number => Math.round(8 + lut / 45);
