/** A name that a version of a model carries. */
export function AliasMark({ name }: { readonly name: string }) {
  return (
    <span className="inline-block max-w-full truncate rounded-control border border-line-strong px-1.5 align-baseline text-label text-text">
      {name}
    </span>
  );
}
