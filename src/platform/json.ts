const BEYOND_ASCII = /[\u0080-\uffff]/g;
const scratch = Buffer.allocUnsafeSlow(1024);

/**
 * Adds a text to the JSON of an object, with whatever is beyond ASCII escaped (`\u20a6` for a naira sign, the same to
 * every reader of JSON). One such character would make V8 keep the whole JSON at two bytes a character, and each step
 * from building to sending it cost several times as much: a sixth of the time of a store debit.
 */
export function withText(objectJson: string, name: string, text: string): string {
  return `${objectJson.slice(0, -1)},"${name}":${ascii(JSON.stringify(text))}}`;
}

function ascii(json: string): string {
  const escaped = json.replace(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  // Through Latin-1 and back: only a new string takes the narrow form.
  return escaped.length > scratch.length ? escaped : scratch.toString('latin1', 0, scratch.write(escaped, 'latin1'));
}
