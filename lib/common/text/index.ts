export {
  cutText,
  hasControls,
  invisible,
  modelTitle,
  showInvisible,
  showText,
  storableText,
} from "./text";
