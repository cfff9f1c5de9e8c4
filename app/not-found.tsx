import Link from "next/link";

export default function NotFound() {
  return (
    <>
      <h1 className="mb-2">There is nothing at this address</h1>
      <p className="mb-4 max-w-[68ch] text-muted">
        It may have been deleted, or the link lost a part on its way.
      </p>
      <Link className="btn" href="/">
        Go to the bench
      </Link>
    </>
  );
}
