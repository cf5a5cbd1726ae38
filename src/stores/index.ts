export { storeRoutes } from './routes.ts';
export { storeEvents } from './schemas.ts';
export { type CreateStoreDeps, createStore, createStoreDirectory, type Store, type StoreDirectory } from './store.ts';
