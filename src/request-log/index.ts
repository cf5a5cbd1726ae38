export { forgetBodies, forgetRequests } from './forget-requests.ts';
export { logRequests } from './logged-routes.ts';
export { createRequestLog, MAX_PER_SECOND, type RequestLog } from './request-log.ts';
export { requestLogRoutes } from './routes.ts';
