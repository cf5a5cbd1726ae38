export { banner } from './banner.ts';
export { type DemoFile, isDemoUnfinished, noteDemoBegun, readDemoFile, writeDemoFile } from './demo-file.ts';
export { type MadeMerchant, type MakeMerchantDeps, makeMerchant } from './make-merchant.ts';
export { seedDemo } from './seed-demo.ts';
