export { SupportViewSchema, supportViewRoutes } from './routes.ts';
export {
  closeSupportView,
  createSupportViews,
  openSupportView,
  readSupportViews,
  supportViewView,
} from './support-views.ts';
