export { type ProfileRoutesDeps, profileEvents, profileRoutes } from './routes.ts';
