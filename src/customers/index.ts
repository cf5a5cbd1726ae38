export type { CustomerRow } from './queries.ts';
export { requireCustomer } from './read-customers.ts';
export { customerRoutes } from './routes.ts';
export { customerEvents } from './schemas.ts';
