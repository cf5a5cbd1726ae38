export { type Assets, loadAssets } from './assets.ts';
export { type Html, html, plainRow, stateLine } from './html.ts';
export { documentOf, merchantHeader, problemPage, testBanner } from './page.ts';
export { checkoutRoutes } from './routes.ts';
export { acceptPages, NOT_EMBEDDED, sendPage } from './scope.ts';
