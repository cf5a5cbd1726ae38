import type { Data } from '../api/types.ts';

/** A rail as the operator sees it. */
export type Rail = Data<'get', '/operator/rail'>['records'][number];
