export type { PictureColumn } from "./columns";
export { Picture } from "./picture";
