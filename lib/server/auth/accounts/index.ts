export { hashPassword, isPassword, requireGoodPassword } from "./password";
export { signIn } from "./sign-in";
