/** Where somebody goes on who has signed in: a page of ours alone, whatever the address says. */
export function wayBack(next: string | null): string {
  const isOurs = next !== null && /^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(next);
  return isOurs && !/^\/sign-in([/?#]|$)/.test(next) ? next : "/";
}
