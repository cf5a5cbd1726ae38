export { profileEvents, profileRoutes } from './routes.ts';
