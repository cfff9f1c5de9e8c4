/** A span of code points, both ends in it. */
type Span = readonly [first: number, last: number];

/** `U+0000-00FF, U+0131, U+20??`, as a style sheet gives it. Source: CSS Fonts 4 §4.5. */
export function spansOf(unicodeRange: string): readonly Span[] {
  const everything: Span = [0, 0x10ffff];
  if (unicodeRange.trim() === "") return [everything];
  return unicodeRange.split(",").map((part) => {
    const [first = "", last = first] = part.trim().replace(/^U\+/i, "").split("-");
    return [
      Number.parseInt(first.replaceAll("?", "0"), 16),
      Number.parseInt(last.replaceAll("?", "F"), 16),
    ];
  });
}

/**
 * The page's own fonts that a drawing uses, as rules of a style sheet with the fonts inside, so that the file looks alike where they
 * are not installed.
 *
 * @param svg The drawing: fonts whose name or letters do not occur in it are left out.
 */
export async function fontFacesOf(svg: string): Promise<string> {
  const used = [...new Set(svg)].map((letter) => letter.codePointAt(0) ?? 0);
  const rules = [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .filter(({ style }) => {
      const family = style.getPropertyValue("font-family").replace(/^["']|["']$/g, "");
      const spans = spansOf(style.getPropertyValue("unicode-range"));
      return (
        svg.includes(family) &&
        used.some((code) => spans.some(([first, last]) => code >= first && code <= last))
      );
    });
  return (await Promise.all(rules.map(withBytes))).join("\n");
}

async function withBytes({ style, parentStyleSheet }: CSSFontFaceRule): Promise<string> {
  const [, address = ""] = /url\(["']?([^"')]+)/.exec(style.getPropertyValue("src")) ?? [];
  const response = await fetch(new URL(address, parentStyleSheet?.href ?? document.baseURI));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const described = ["font-family", "font-style", "font-weight", "unicode-range"]
    .map((name) => `${name}:${style.getPropertyValue(name)}`)
    .join(";");
  return `@font-face{${described};src:url(data:font/woff2;base64,${text}) format("woff2")}`;
}
