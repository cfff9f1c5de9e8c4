export { AddModel } from "./add-model";
export { modelsQuery } from "./api";
export { ModelView } from "./model-view";
export { ModelsList } from "./models-list";
