export { profileEvents } from './events.ts';
export { type ProfileRoutesDeps, profileRoutes } from './routes.ts';
