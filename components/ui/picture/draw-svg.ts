import { fontFacesOf } from "./font-faces";
import { plainColour } from "./plain-colour";

const namespace = "http://www.w3.org/2000/svg";
/** White space around a saved picture, pixels. */
const edge = 16;

/** An SVG file, and its size in pixels. */
interface SvgFile {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** Where the drawing begins on the page. */
interface Origin {
  readonly left: number;
  readonly top: number;
}

/**
 * A part of the page as an SVG file that needs nothing else: boxes, lines and words where they stand, drawings within it copied,
 * all colours written out and fonts inside, on the background of the theme.
 */
export async function drawSvg(figure: HTMLElement, words: PictureWords): Promise<SvgFile> {
  const { svg, ...size } = onPaper(figure, () => drawFigure(figure, words));
  const writer = new XMLSerializer();
  svg.prepend(element("style", {}, await fontFacesOf(writer.serializeToString(svg))));
  return { text: writer.serializeToString(svg), ...size };
}

/** What reading tools say of the file. */
interface PictureWords {
  readonly title: string;
  readonly summary: string;
}

/** Takes buttons away, shows what files alone have, and opens what scrolls, while it is drawn; nothing of it is painted on the page. */
function onPaper<T>(figure: HTMLElement, draw: () => T): T {
  const parts = [
    ...figure.querySelectorAll<HTMLElement>("[data-unsaved], [data-saved], [data-whole]"),
  ];
  const before = parts.map(({ style }) => style.cssText);
  for (const { dataset, style } of parts) {
    if ("unsaved" in dataset) style.display = "none";
    else if ("saved" in dataset) style.display = "flex";
    else Object.assign(style, { maxHeight: "none", overflow: "visible" });
  }
  try {
    return draw();
  } finally {
    for (const [at, { style }] of parts.entries()) style.cssText = before[at] ?? "";
  }
}

function drawFigure(figure: HTMLElement, { title, summary }: PictureWords) {
  const box = figure.getBoundingClientRect();
  const drawn = element("g", {});
  const extent = { right: 0, bottom: 0 };
  const origin = { left: box.left - edge, top: box.top - edge };
  drawNode(figure, drawn, origin, extent);
  const width = Math.ceil(Math.max(box.width, extent.right - box.left) + 2 * edge);
  const height = Math.ceil(extent.bottom - box.top + 2 * edge);
  const svg = element("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-labelledby": "title summary",
  });
  const background = getComputedStyle(document.body).backgroundColor;
  svg.append(
    element("title", { id: "title" }, title),
    element("desc", { id: "summary" }, summary),
    element("rect", { width, height, fill: plainColour(background).text }),
    drawn,
  );
  return { svg, width, height };
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number | null>>,
  text?: string,
): SVGElement {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

interface Extent {
  right: number;
  bottom: number;
}

function drawNode(node: Node, into: Element, origin: Origin, extent: Extent): void {
  if (node instanceof Text) drawWords(node, into, origin);
  if (!(node instanceof Element) || isLeftOut(node)) return;
  const box = node.getBoundingClientRect();
  extent.right = Math.max(extent.right, box.right);
  extent.bottom = Math.max(extent.bottom, box.bottom);
  if (node instanceof SVGSVGElement) {
    into.append(copyDrawing(node, box, origin));
    return;
  }
  const style = getComputedStyle(node);
  let inner = into;
  if (style.overflowX !== "visible" || Number(style.opacity) < 1) {
    const [x, y] = [box.left - origin.left, box.top - origin.top];
    inner = element(style.overflowX === "visible" ? "g" : "svg", {
      ...(style.overflowX === "visible"
        ? {}
        : {
            x,
            y,
            width: box.width,
            height: box.height,
            viewBox: [x, y, box.width, box.height].join(" "),
          }),
      opacity: Number(style.opacity) < 1 ? style.opacity : null,
    });
    into.append(inner);
  }
  drawBox(style, box, inner, origin);
  // What is cut off needs no room.
  const inside = style.overflowX === "visible" ? extent : { right: 0, bottom: 0 };
  for (const child of node.childNodes) drawNode(child, inner, origin, inside);
}

/** What is not seen. */
function isLeftOut(node: Element): boolean {
  const { display, visibility } = getComputedStyle(node);
  if (display === "none" || visibility === "hidden") return true;
  // Words for reading tools alone.
  return node.classList.contains("sr-only");
}

function drawBox(style: CSSStyleDeclaration, box: DOMRect, into: Element, origin: Origin): void {
  const [x, y] = [box.left - origin.left, box.top - origin.top];
  const place = { x, y, width: box.width, height: box.height };
  const rx = Number.parseFloat(style.borderTopLeftRadius) || null;
  // Of stripes, the first colour stands for all.
  const stripe = style.backgroundImage.match(/(?:rgba?|color|oklab|oklch)\([^)]*\)/)?.[0];
  const fill = plainColour(stripe ?? style.backgroundColor);
  if (fill.isSeen && box.width > 0 && box.height > 0)
    into.append(element("rect", { ...place, rx, fill: fill.text }));
  for (const side of ["Top", "Right", "Bottom", "Left"] as const) {
    const thick = Number.parseFloat(style[`border${side}Width`]);
    const colour = plainColour(style[`border${side}Color`]);
    if (!(thick > 0) || style[`border${side}Style`] === "none" || !colour.isSeen) continue;
    const isAcross = side === "Top" || side === "Bottom";
    into.append(
      element("rect", {
        x: side === "Right" ? x + box.width - thick : x,
        y: side === "Bottom" ? y + box.height - thick : y,
        width: isAcross ? box.width : thick,
        height: isAcross ? thick : box.height,
        fill: colour.text,
      }),
    );
  }
}

/** A text of the page, line by line as it is broken there. */
function drawWords(node: Text, into: Element, origin: Origin): void {
  const parent = node.parentElement;
  if (!parent || node.data.trim() === "") return;
  const style = getComputedStyle(parent);
  for (const { text, box } of linesOf(node)) {
    into.append(
      element(
        "text",
        {
          x: box.left - origin.left,
          y: box.top - origin.top + ascentOf(style, box),
          ...lettersOf(style),
          ...asWideAs(box.width),
          fill: plainColour(style.color).text,
        },
        style.textTransform === "uppercase" ? text.toUpperCase() : text,
      ),
    );
  }
}

const lettersOf = (style: CSSStyleDeclaration) => ({
  "font-family": style.fontFamily,
  "font-size": style.fontSize,
  "font-weight": style.fontWeight,
});

/** Words keep their width where their font is not at hand. */
const asWideAs = (width: number) => ({
  textLength: width.toFixed(1),
  lengthAdjust: "spacingAndGlyphs",
});

function linesOf(node: Text): { text: string; box: DOMRect }[] {
  const range = document.createRange();
  const lines: { text: string; box: DOMRect }[] = [];
  for (const { 0: word, index } of node.data.matchAll(/\s*\S+/g)) {
    const from = index + word.length - word.trimStart().length;
    range.setStart(node, from);
    range.setEnd(node, index + word.length);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.box.top - box.top) < 1) {
      last.text += ` ${word.trim()}`;
      last.box = new DOMRect(last.box.x, last.box.y, box.right - last.box.left, last.box.height);
    } else lines.push({ text: word.trim(), box });
  }
  return lines;
}

let measure: CanvasRenderingContext2D | null | undefined;

/** From the top of a line's box to its base line. */
function ascentOf(style: CSSStyleDeclaration, box: DOMRect): number {
  measure ??= document.createElement("canvas").getContext("2d");
  if (!measure) return box.height * 0.8;
  measure.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = measure.measureText("x");
  return above + (box.height - above - below) / 2;
}

const shapes = new Set([
  ...["svg", "g", "a", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"],
  ...["text", "tspan", "defs", "pattern", "title"],
]);
const geometry = [
  ...[
    "viewBox",
    "preserveAspectRatio",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
  ],
  ...[
    "width",
    "height",
    "d",
    "points",
    "transform",
    "id",
    "dx",
    "dy",
    "patternUnits",
    "patternTransform",
  ],
];
const painted = [
  ...["stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "fill-opacity"],
  ...["stroke-opacity", "text-anchor", "vector-effect"],
] as const;

/** A drawing of the page, each part with the look that its styles give it. */
function copyDrawing(source: SVGSVGElement, box: DOMRect, origin: Origin): Element {
  const copy = copyShape(source) ?? element("svg", {});
  copy.setAttribute("x", String(box.left - origin.left));
  copy.setAttribute("y", String(box.top - origin.top));
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  copy.setAttribute(
    "overflow",
    getComputedStyle(source).overflowX === "visible" ? "visible" : "hidden",
  );
  const group = element("g", {});
  drawBox(getComputedStyle(source), box, group, origin);
  group.append(copy);
  return group;
}

function copyShape(source: Element): SVGElement | null {
  const name = source.localName;
  if (!shapes.has(name)) return null;
  // A link of the page leads nowhere from a file.
  const copy = element(name === "a" ? "g" : name, {});
  for (const attribute of geometry) {
    const value = source.getAttribute(attribute);
    if (value !== null) copy.setAttribute(attribute, value);
  }
  if (name === "title") {
    copy.textContent = source.textContent;
    return copy;
  }
  const style = getComputedStyle(source);
  for (const property of ["fill", "stroke"] as const) {
    const value = style.getPropertyValue(property);
    copy.setAttribute(
      property,
      value.startsWith("url(") || value === "none"
        ? value.replaceAll('"', "")
        : plainColour(value).text,
    );
  }
  for (const property of painted) copy.setAttribute(property, style.getPropertyValue(property));
  if (name === "text" || name === "tspan")
    for (const [property, value] of Object.entries(lettersOf(style)))
      copy.setAttribute(property, value);
  if (source instanceof SVGTextElement)
    for (const [attribute, value] of Object.entries(asWideAs(source.getComputedTextLength())))
      copy.setAttribute(attribute, value);
  for (const child of source.childNodes) {
    if (child instanceof Text) copy.append(child.data);
    else if (child instanceof Element) {
      const inner = copyShape(child);
      if (inner) copy.append(inner);
    }
  }
  return copy;
}
