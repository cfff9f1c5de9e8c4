export { cutText, hasControls, invisible, showInvisible, showText, storableText } from "./text";
