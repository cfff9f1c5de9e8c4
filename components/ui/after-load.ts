/** Longest wait for a browser that is never idle. */
const mostMs = 2000;

/**
 * Loads what answers a press that has not come yet: once the page is loaded and the browser has nothing else to do, so that it
 * delays no first paint and is there when it is pressed.
 */
export async function afterLoad<Module>(load: () => Promise<Module>): Promise<Module> {
  if (document.readyState !== "complete")
    await new Promise((done) => addEventListener("load", done, { once: true }));
  await new Promise<void>((done) =>
    // Safari has no such call.
    "requestIdleCallback" in globalThis
      ? requestIdleCallback(() => done(), { timeout: mostMs })
      : setTimeout(done, 200),
  );
  return await load();
}
