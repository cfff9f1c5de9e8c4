const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\bFirefox\/(\d+)/, "Firefox"],
  [/\b(?:Headless)?Chrome\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+).*Safari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
];

/** `Firefox 131, Linux` of what a browser says of itself; null where it is none that is known. */
export function browserName(userAgent: string): string | null {
  for (const [form, name] of browsers) {
    const version = form.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = systems.find(([mark]) => mark.test(userAgent))?.[1];
    return `${name} ${version}${system === undefined ? "" : `, ${system}`}`;
  }
  return null;
}
