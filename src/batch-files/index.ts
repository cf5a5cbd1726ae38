export { copyRoutes } from './copy-routes.ts';
export { downloadRoutes, intakeRoutes } from './routes.ts';
export { batchFileEvents } from './schemas.ts';
export { sweepUploads } from './uploads.ts';
