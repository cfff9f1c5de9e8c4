/** More significant digits than this fit no integer type, nor are they worth a big number. */
const maxDigits = 40;

/**
 * The integer that a JSON number token stands for, exactly: `9223372036854775807`, `1.0`, `1e3`.
 *
 * @returns null when it has a fraction or is beyond any integer type.
 */
export function integerOfToken(token: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token);
  if (!match) return null;
  const [, sign, whole = "", fraction = "", exponentText = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutTrailingZeros(digits);
  if (significant === "") return 0n;
  const exponent = Number(exponentText) - fraction.length + digits.length - significant.length;
  if (exponent < 0 || significant.length + exponent > maxDigits) return null;
  const value = BigInt(significant) * 10n ** BigInt(exponent);
  return sign === "-" ? -value : value;
}

/** A pattern that looks for the end would begin anew at every zero. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
