const width = 84;
const height = 20;

/** The last half hour in a small picture: requests of each minute, a gap where nobody counted. */
export function Sparkline({
  minutes,
  label,
}: {
  /** Oldest first; null: nobody counted. */
  minutes: readonly (number | null)[];
  label: string;
}) {
  const most = Math.max(1, ...minutes.map((count) => count ?? 0));
  const step = width / minutes.length;
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="inline-block align-middle"
    >
      {minutes.map((count, index) => {
        if (count === null) return null;
        const tall = count === 0 ? 1 : Math.max(2, (count / most) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its minute
            key={index}
            x={index * step}
            width={step - 0.6}
            y={height - tall}
            height={tall}
            fill={count === 0 ? "var(--line-strong)" : "var(--accent)"}
          />
        );
      })}
    </svg>
  );
}
