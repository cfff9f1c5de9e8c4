import type { ReactNode } from "react";

const icon = (paths: ReactNode) => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    aria-hidden="true"
    className="flex-none"
  >
    {paths}
  </svg>
);

/** The pictures of the folded rail: hairlines like the boards, drawn here. */
export const navIcons = {
  home: icon(<path d="M2.5 8 9 2.5 15.5 8M4.5 7v8.5h9V7M7.5 15.5v-4h3v4" />),
  deploy: icon(<path d="M9 11.5V2.5M5.5 6 9 2.5 12.5 6M2.5 11.5v4h13v-4" />),
  models: icon(
    <>
      <circle cx="4" cy="5" r="1.6" />
      <circle cx="4" cy="13" r="1.6" />
      <circle cx="14" cy="9" r="1.6" />
      <path d="M5.5 5.7 12.5 8.4M5.5 12.3l7-2.7" />
    </>,
  ),
  firmware: icon(
    <>
      <path d="m9 2 6.5 3.3v7.4L9 16l-6.5-3.3V5.3z" />
      <path d="M2.5 5.3 9 8.6l6.5-3.3M9 8.6V16" />
    </>,
  ),
  toolchains: icon(
    <path d="M11.5 2.8a4 4 0 0 0-4 5.4L2.8 13l2.2 2.2 4.8-4.7a4 4 0 0 0 5.4-4l-2.5 1.6-2-2z" />,
  ),
  settings: icon(<path d="M2.5 5h5M11.5 5h4M2.5 13h9M15 13h.5M9.5 3v4M13.5 11v4" />),
  more: icon(<path d="M4 9h.01M9 9h.01M14 9h.01" strokeWidth="2.6" strokeLinecap="round" />),
  builds: icon(<path d="M4.5 3.5v11M4.5 5.5h9M4.5 9h6M4.5 12.5h8" />),
  boards: icon(
    <>
      <rect x="4.5" y="4.5" width="9" height="9" rx="1" />
      <path d="M7 4.5v-3M11 4.5v-3M7 16.5v-3M11 16.5v-3M4.5 7h-3M4.5 11h-3M16.5 7h-3M16.5 11h-3" />
    </>,
  ),
  endpoints: icon(
    <>
      <circle cx="9" cy="9" r="2.5" />
      <path d="M1.5 9h5M11.5 9h5M3.5 4.5a7 7 0 0 1 11 0M3.5 13.5a7 7 0 0 0 11 0" />
    </>,
  ),
};

/** The boardwalk: planks across two beams. */
export function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" className="flex-none">
      <path d="M2 6h18M2 11h18M2 16h18" stroke="var(--copper)" strokeWidth="2.4" />
      <path d="M6 3v16M16 3v16" stroke="var(--text)" strokeWidth="1.6" />
    </svg>
  );
}
