import { type RefObject, useEffect, useRef, useState } from "react";

/** The width of an element, pixels, as it is now; 0 before it is drawn. */
export function useWidth<Item extends HTMLElement>(): [RefObject<Item | null>, number] {
  const frame = useRef<Item>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}
