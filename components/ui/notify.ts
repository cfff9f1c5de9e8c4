/** What was done, where it can be seen, and the way back. */
export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  /** Takes it back; what it throws is told in the place of the notice. */
  readonly undo?: (() => Promise<unknown>) | undefined;
  /** Whether the way back gets the focus, as after a dialog that has closed. */
  readonly takesFocus?: boolean;
}

const early: Notice[] = [];
let show: ((notice: Notice) => void) | null = null;

/** Tells what was done. Pages show the same by themselves: a notice never carries the only copy. */
export function notify(notice: Notice): void {
  if (show) show(notice);
  else early.push(notice);
}

/** Takes over what is told, from what was told before anybody listened. Answers the way to stop. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  show = listener;
  for (const notice of early.splice(0)) listener(notice);
  return () => {
    show = null;
  };
}
