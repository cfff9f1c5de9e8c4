import { memo } from "react";
import { parseAnsi } from "./ansi";

/** A log line as React nodes; its text is never markup. */
export const LineText = memo(function LineText({
  text,
  find,
  isExact,
}: {
  text: string;
  find: string;
  isExact: boolean;
}) {
  return parseAnsi(text).map((segment, index) => {
    const marked =
      find === "" ? segment.text : <Marked text={segment.text} find={find} isExact={isExact} />;
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

function Marked({ text, find, isExact }: { text: string; find: string; isExact: boolean }) {
  const lower = isExact ? text : text.toLowerCase();
  const sought = isExact ? find : find.toLowerCase();
  const parts = [];
  let at = 0;
  for (let hit = lower.indexOf(sought); hit !== -1; hit = lower.indexOf(sought, at)) {
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
