export { supportViewRoutes } from './routes.ts';
export { SupportViewSchema } from './schemas.ts';
export { closeSupportView, createSupportViews, openSupportView, readSupportViews } from './support-views.ts';
export { supportViewView } from './views.ts';
