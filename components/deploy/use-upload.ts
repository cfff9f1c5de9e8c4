import { useRef, useState } from "react";

/** A file on its way, or one that was not taken. */
export type UploadState =
  | {
      readonly state: "sending";
      readonly name: string;
      readonly sizeBytes: number;
      /** From 0 to 1; at 1 all of it is sent, and being read. */
      readonly share: number;
    }
  | { readonly state: "failed"; readonly name: string; readonly error: unknown };

interface SendOptions {
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Sends one file at a time and tells how far it is: a new one ends the one before. */
export function useUpload<T>(
  send: (file: File, options: SendOptions) => Promise<T>,
  onSent: (sent: T, fileName: string) => void,
) {
  const [file, setFile] = useState<UploadState | null>(null);
  const abort = useRef<AbortController | null>(null);
  const start = async (chosen: File) => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    const { name, size } = chosen;
    const onProgress = (share: number) =>
      setFile({ state: "sending", name, sizeBytes: size, share });
    onProgress(0);
    try {
      const sent = await send(chosen, { onProgress, signal: controller.signal });
      setFile(null);
      onSent(sent, name);
    } catch (error) {
      if (!controller.signal.aborted) setFile({ state: "failed", name, error });
    }
  };
  const stop = () => {
    abort.current?.abort();
    setFile(null);
  };
  return { file, start, stop };
}
