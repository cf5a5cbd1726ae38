export { fillIndex, fillIndexes, rebuildIndexes } from './fill-index.ts';
export { operatorSearchRoutes, searchRoutes } from './routes.ts';
