export { PDF_FONTS } from './draw-receipt.ts';
export { publicReceiptRoutes } from './public-routes.ts';
export { createReceiptDrawer } from './receipt-drawer.ts';
export { receiptRoutes } from './routes.ts';
