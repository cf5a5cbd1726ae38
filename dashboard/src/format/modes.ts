/** The modes, as a choice. */
export const MODES = [
  { value: 'LIVE', label: 'Live' },
  { value: 'SANDBOX', label: 'Sandbox' },
] as const;

/** A mode within a sentence. Some answers have it as a text. */
export const modeWord = (mode: string): string => (mode === 'LIVE' ? 'live' : 'sandbox');

/** The same where it stands alone. */
export const modeName = (mode: string): string => (mode === 'LIVE' ? 'Live' : 'Sandbox');
