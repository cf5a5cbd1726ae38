/** What was typed as addresses, one a line or divided by commas and spaces, without what stands there twice. */
export function parseAddresses(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((entry) => entry !== ''))];
}

const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/;
const V6 = /^[0-9a-f:]+(?:\/(\d{1,3}))?$/i;

/** The sentence for the field where something typed is no address; the service has the last word. */
export function complainAboutAddresses(text: string): string | undefined {
  const wrong = parseAddresses(text).find((entry) => !isAddressOrRange(entry));
  return wrong === undefined ? undefined : `${wrong} is no IP address or range. Write 203.0.113.7 or 203.0.113.0/24.`;
}

function isAddressOrRange(entry: string): boolean {
  const v4 = V4.exec(entry);
  if (v4 !== null) return v4.slice(1, 5).every((part) => Number(part) <= 255) && Number(v4[5] ?? 0) <= 32;
  const v6 = V6.exec(entry);
  return v6 !== null && entry.includes(':') && Number(v6[1] ?? 0) <= 128;
}
