export { logRequests } from './logged-routes.ts';
export { createRequestLog, forgetRequests, MAX_PER_SECOND, type RequestLog } from './request-log.ts';
export { requestLogRoutes } from './routes.ts';
