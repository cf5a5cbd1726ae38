export { documentApi, madeDocument } from './document-api.ts';
export { finishDocument, publicDocument } from './finish-document.ts';
