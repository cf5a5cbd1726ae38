import { formatBytes } from '../format/text.ts';
import { MAX_DOCUMENT_BYTES } from './document-words.ts';

const PDF = [0x25, 0x50, 0x44, 0x46];
const PNG = [0x89, 0x50, 0x4e, 0x47];
const JPEG = [0xff, 0xd8, 0xff];

/** What is wrong with a file before it is sent: a large one is not worth the wait. The service has the last word. */
export async function complainAboutDocument(file: File): Promise<string | undefined> {
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > MAX_DOCUMENT_BYTES) {
    return `${file.name} has ${formatBytes(file.size)}; at most 5 MB are taken. Scan it at a lower resolution.`;
  }
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const isKnown = [PDF, PNG, JPEG].some((mark) => mark.every((byte, at) => head[at] === byte));
  return isKnown
    ? undefined
    : `${file.name} is not a PDF, PNG or JPEG${promises(file.name) ? ', whatever its name says' : ''}. Save it as one, or choose another file.`;
}

/** Its name ends like one of those that are taken. */
const promises = (name: string) => /\.(pdf|png|jpe?g)$/i.test(name);
