/** A token, or a name and a password. */
type Login = { readonly token: string } | { readonly user: string; readonly password: string };

/** The value of `Authorization` that shows a login: a bearer token, or user and password as RFC 7617 has them. */
export function authorizationOf(login: Login): string {
  if ("token" in login) return `Bearer ${login.token}`;
  return `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
}
