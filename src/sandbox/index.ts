export { sandboxEvents } from './events.ts';
export { type SandboxRoutesDeps, sandboxRoutes } from './routes.ts';
