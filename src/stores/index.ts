export { storeRoutes } from './routes.ts';
export { storeEvents } from './schemas.ts';
export { createStore, createStoreDirectory, type StoreDirectory } from './store.ts';
