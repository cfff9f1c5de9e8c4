/** Where the rail leads, in order: what of it has room in the bar at the bottom of a phone, and what stands behind More there. */
export const places = [
  { href: "/", name: "home", isFirst: true },
  { href: "/deploy", name: "deploy", isFirst: true },
  { href: "/models", name: "models", isFirst: false },
  { href: "/builds", name: "builds", isFirst: true },
  { href: "/boards", name: "boards", isFirst: false },
  { href: "/endpoints", name: "endpoints", isFirst: true },
  { href: "/firmware", name: "firmware", isFirst: false },
  { href: "/toolchains", name: "toolchains", isFirst: false },
  { href: "/settings", name: "settings", isFirst: false },
] as const;

/** Whether a place is the page that is shown, or above it. */
export const isHere = (pathname: string, href: string): boolean =>
  href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
