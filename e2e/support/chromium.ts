/** How Chromium is started, wherever the portal is looked at. */
export const chromiumLaunch = {
  executablePath: process.env["E2E_CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
};
