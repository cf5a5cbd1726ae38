import type { Scope } from './scope-words.ts';

/** What a person wants of a new key. */
export interface KeyForm {
  name: string;
  kind: 'SECRET' | 'PUBLIC';
  may: 'ALL' | 'SOME';
  scopes: Scope[];
  allowedIps: string;
  /** A day in Lagos, or nothing. */
  expiresAt: string;
}
