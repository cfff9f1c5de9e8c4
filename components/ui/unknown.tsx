/** Stands for a value that is not known. */
export const Unknown = () => <span className="text-muted">–</span>;
