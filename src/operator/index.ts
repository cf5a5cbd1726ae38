export { operatorRoutes } from './routes.ts';
export { createVerification, type Verification } from './verification-routes.ts';
