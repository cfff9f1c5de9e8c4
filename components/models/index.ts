export { inspectionQuery, uploadModel } from "./api";
export { ModelFacts } from "./model-facts";
export { samples } from "./samples";
export { uploadFile } from "./upload-file";
