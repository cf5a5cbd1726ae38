export { type BankRoutesDeps, bankRoutes } from './routes.ts';
