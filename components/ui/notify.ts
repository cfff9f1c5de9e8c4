/** What was done, where it can be seen, and the way back. */
export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  /** Takes it back; what it throws is told in the place of the notice. */
  readonly undo?: (() => Promise<unknown>) | undefined;
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

/** Where the focus goes once a dialog has closed whose act can be undone; true: back to where it was. */
export function undoButton(): HTMLElement | true {
  return document.querySelector<HTMLElement>("[data-undo]") ?? true;
}
