import { type RefObject, useEffect, useState } from "react";

/** Whether a part of the page fills the screen, and the way to change that; null where the browser has no such thing, as on phones. */
export function useFullScreen(
  part: RefObject<HTMLElement | null>,
): { readonly isOn: boolean; readonly toggle: () => void } | null {
  const [isKnown, setKnown] = useState(false);
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    setKnown(document.fullscreenEnabled);
    const look = () => setOn(part.current !== null && document.fullscreenElement === part.current);
    document.addEventListener("fullscreenchange", look);
    return () => document.removeEventListener("fullscreenchange", look);
  }, [part]);
  if (!isKnown) return null;
  const toggle = () => {
    const change = isOn ? document.exitFullscreen() : part.current?.requestFullscreen();
    // A browser may refuse; then everything stays as it is.
    change?.catch(() => undefined);
  };
  return { isOn, toggle };
}
