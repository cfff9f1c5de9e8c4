import { type ComponentType, useEffect, useState } from "react";
import { afterLoad } from "./after-load";

/**
 * A component that is loaded by `afterLoad`; null until it is there, and for good where it cannot be had.
 *
 * @param load A function of the module, the same at each drawing.
 */
export function useAfterLoad<Props>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> | null {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    afterLoad(load).then(
      (component) => setLoaded(() => component),
      () => undefined,
    );
  }, [load]);
  return Loaded;
}
