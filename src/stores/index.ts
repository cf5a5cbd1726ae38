export { type CreateStoreDeps, createStore } from './create-store.ts';
export { storeEvents } from './events.ts';
export { storeRoutes } from './routes.ts';
export { createStoreDirectory, type Store, type StoreDirectory } from './store-directory.ts';
