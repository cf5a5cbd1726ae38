const CHANNELS = { BANK_TRANSFER: 'Bank transfer', CARD: 'Card', USSD: 'USSD' } as const;

/** How a payment in was paid. */
export type Channel = keyof typeof CHANNELS;

export const CHANNEL_OPTIONS = Object.entries(CHANNELS).map(([value, label]) => ({ value: value as Channel, label }));

/** In words; what nobody said is not known. */
export const channelWord = (channel: Channel | null): string => (channel === null ? 'Not known' : CHANNELS[channel]);

/** Of a rule: null is for all. */
export const channelOfRule = (channel: Channel | null): string =>
  channel === null ? 'All channels' : CHANNELS[channel];

/** A field of a form holds a text: empty is for all. */
export const channelOrNull = (text: string): Channel | null =>
  CHANNEL_OPTIONS.find(({ value }) => value === text)?.value ?? null;

/** The placeholder of a field that may be left empty. */
export const ALL_CHANNELS = 'All channels';
