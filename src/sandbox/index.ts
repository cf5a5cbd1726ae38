export { type SandboxRoutesDeps, sandboxRoutes } from './routes.ts';
