import { formatBytes } from "@/components/ui";

/** How much of the design has arrived. */
export function DownloadBar({
  receivedBytes,
  sizeBytes,
}: {
  receivedBytes: number;
  sizeBytes: number;
}) {
  const all = receivedBytes >= sizeBytes;
  return (
    <div className="mt-4 max-w-[480px]">
      <div
        role="progressbar"
        aria-label="Download of the design"
        aria-valuemin={0}
        aria-valuemax={sizeBytes}
        aria-valuenow={receivedBytes}
        className="bar"
      >
        <i className="bar-fill" style={{ width: `${(receivedBytes / sizeBytes) * 100}%` }} />
      </div>
      <p className="mt-1 text-dense text-muted">
        {all
          ? "Checking and starting it"
          : `${formatBytes(receivedBytes)} of ${formatBytes(sizeBytes)}`}
      </p>
    </div>
  );
}
