import { formatCount, ToneIcon } from "@/components/ui";
import { countElements } from "./count-elements";

/** Says how much of a request the firmware could not hold; nothing where it held all. */
export function ClippedNote({ clipped, request }: { clipped: number; request: string }) {
  if (clipped === 0) return null;
  const all = countElements(request);
  return (
    <p
      role="status"
      className="mb-4 flex items-baseline gap-2 border-l-2 border-warn py-1 pl-4 text-dense"
    >
      <ToneIcon tone="warn" />
      <span>
        {formatCount(clipped)} {all === null ? "" : `of ${formatCount(all)} `}
        {clipped === 1 ? "input was" : "inputs were"} outside of the range that the firmware was
        built for, and cut off at its edge.
      </span>
    </p>
  );
}
