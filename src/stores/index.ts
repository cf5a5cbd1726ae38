export { type CreateStoreDeps, createStore } from './create-store.ts';
export { storeRoutes } from './routes.ts';
export { createStoreDirectory, type Store, type StoreDirectory } from './store-directory.ts';
