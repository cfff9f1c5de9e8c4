// What Boardwalk writes is its user's alone: from the first import on, for this process and all that it starts.

/** What the person chose for their own files. */
const persons = process.umask(0o077);

/** Runs `work` with the person's own file modes: for the checkout, which other users of the machine may share. */
export function openly(work) {
  const before = process.umask(persons);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}
