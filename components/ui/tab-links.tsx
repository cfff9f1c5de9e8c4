import Link from "next/link";

/** Tabs that are addresses: each one can be shared, and Back works. */
export function TabLinks({
  tabs,
  current,
  label,
}: {
  tabs: readonly { readonly id: string; readonly label: string; readonly href: string }[];
  current: string;
  label: string;
}) {
  return (
    <nav
      aria-label={label}
      className="relative mb-6 flex gap-5 overflow-x-auto shadow-[inset_0_-1px_var(--line)]"
    >
      {tabs.map((tab) => (
        <Link
          key={tab.id}
          href={tab.href}
          scroll={false}
          className="tab"
          aria-current={tab.id === current ? "page" : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
