import { memo } from "react";
import { parseAnsi } from "./ansi";

/** A log line as React nodes; its text is never markup. */
export const LineText = memo(function LineText({ text, find }: { text: string; find: string }) {
  return parseAnsi(text).map((segment, index) => {
    const marked = find === "" ? segment.text : <Marked text={segment.text} find={find} />;
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

function Marked({ text, find }: { text: string; find: string }) {
  const lower = text.toLowerCase();
  const parts = [];
  let at = 0;
  for (let hit = lower.indexOf(find); hit !== -1; hit = lower.indexOf(find, at)) {
    parts.push(text.slice(at, hit));
    parts.push(
      <mark key={hit} className="bg-[color-mix(in_srgb,var(--warn)_35%,transparent)] text-inherit">
        {text.slice(hit, hit + find.length)}
      </mark>,
    );
    at = hit + find.length;
  }
  parts.push(text.slice(at));
  return parts;
}
