import { memo } from "react";
import { parseAnsi } from "./ansi";

/** A log line as React nodes; its text is never markup. */
export const LineText = memo(function LineText({
  text,
  mark,
}: {
  text: string;
  mark: RegExp | null;
}) {
  return parseAnsi(text).map((segment, index) => {
    const marked = mark === null ? segment.text : <Marked text={segment.text} mark={mark} />;
    const { colour, background, bold, faint, italic, underline } = segment;
    if (!colour && !background && !bold && !faint && !italic && !underline) return marked;
    return (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: runs of a line have no other name than their place
        key={index}
        style={{
          color: faint ? "var(--muted)" : colour,
          background,
          fontWeight: bold ? 600 : undefined,
          fontStyle: italic ? "italic" : undefined,
          textDecoration: underline ? "underline" : undefined,
        }}
      >
        {marked}
      </span>
    );
  });
});

function Marked({ text, mark }: { text: string; mark: RegExp }) {
  const parts = [];
  let at = 0;
  for (const { 0: hit, index } of text.matchAll(mark)) {
    if (hit === "") continue;
    parts.push(text.slice(at, index));
    parts.push(
      <mark
        key={index}
        className="bg-[color-mix(in_srgb,var(--warn)_35%,transparent)] text-inherit"
      >
        {hit}
      </mark>,
    );
    at = index + hit.length;
  }
  parts.push(text.slice(at));
  return parts;
}
