export { type MadeMerchant, makeMerchant } from './make-merchant.ts';
export {
  banner,
  type DemoFile,
  isDemoUnfinished,
  noteDemoBegun,
  readDemoFile,
  seedDemo,
  writeDemoFile,
} from './seed-demo.ts';
