export { customerEvents } from './events.ts';
export { requireCustomer } from './read-customers.ts';
export { customerRoutes } from './routes.ts';
