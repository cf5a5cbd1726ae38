export { type ProfileRoutesDeps, profileRoutes } from './routes.ts';
