export { fillIndex, fillIndexes, indexFiller, rebuildIndexes } from './fill-index.ts';
export { operatorSearchRoutes, searchRoutes } from './routes.ts';
