export { documentApi, madeDocument } from './document-api.ts';
export { ERROR_CODES } from './error-codes.ts';
export { finishDocument, publicDocument } from './finish-document.ts';
