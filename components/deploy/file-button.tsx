import { type ReactNode, useRef } from "react";

/** A button that lets a person choose one file. */
export function FileButton({
  label,
  accept,
  className = "btn",
  isDisabled = false,
  onChoose,
  children,
}: {
  /** What the file is, for who cannot see the button. */
  label: string;
  /** Endings of its name; left out: any. */
  accept?: string;
  className?: string;
  isDisabled?: boolean;
  onChoose: (file: File) => void;
  children: ReactNode;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={isDisabled}
        onClick={() => picker.current?.click()}
      >
        {children}
      </button>
      <input
        ref={picker}
        type="file"
        className="sr-only"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) onChoose(chosen);
          event.target.value = "";
        }}
      />
    </>
  );
}
