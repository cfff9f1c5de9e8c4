/** A value of `Authorization` that shows a token. */
export const bearer = (token: string): string => `Bearer ${token}`;

/** A value of `Authorization` that shows a name and a password, as RFC 7617 has them. */
export const basic = ({
  user,
  password,
}: {
  readonly user: string;
  readonly password: string;
}): string => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
