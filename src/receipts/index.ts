export { publicReceiptRoutes } from './public-routes.ts';
export type { Receipt, ReceiptLine } from './receipt.ts';
export { createReceiptDrawer, fileNameOf, type ReceiptDrawer } from './receipt-drawer.ts';
export { receiptRoutes } from './routes.ts';
