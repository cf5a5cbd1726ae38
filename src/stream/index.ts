export { streamRoutes } from './routes.ts';
export { createStreams, type Streams } from './streams.ts';
