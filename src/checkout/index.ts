export { type Assets, loadAssets } from './assets.ts';
export { type Html, html } from './html.ts';
export { documentOf, merchantHeader, problemPage, testBanner } from './page.ts';
export { NOT_EMBEDDED, sendPage } from './page-headers.ts';
export { plainRow, stateLine } from './page-parts.ts';
export { checkoutRoutes } from './routes.ts';
export { acceptPages } from './scope.ts';
