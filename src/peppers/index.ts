export { forgetEncryptionKey, requireSecrets, whyNothingOpens } from './encryption-key.ts';
export {
  forgetPepper,
  needOf,
  type PepperState,
  readPeppers,
  rehashAll,
  requirePeppers,
} from './peppers.ts';
export { countServices } from './queries.ts';
