export { storeEvents } from './events.ts';
export { storeRoutes } from './routes.ts';
export { type CreateStoreDeps, createStore } from './store.ts';
export { createStoreDirectory, type Store, type StoreDirectory } from './store-directory.ts';
