import { HeadingLink } from "@/components/ui";

/** The small heading of a panel, with the link to it. */
export function PanelHeading({ id, title }: { readonly id: string; readonly title: string }) {
  return (
    <div className="flex items-baseline gap-1">
      <h2 id={id} className="label">
        {title}
      </h2>
      <HeadingLink id={id} title={title} />
    </div>
  );
}
