/** What a document may be, told by how its bytes begin. A name or a header says nothing: anyone can write them. */
const SIGNATURES = [
  { contentType: 'application/pdf', ending: 'pdf', begins: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { contentType: 'image/png', ending: 'png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { contentType: 'image/jpeg', ending: 'jpg', begins: [0xff, 0xd8, 0xff] },
] as const;

export interface FileType {
  contentType: string;
  ending: string;
}

/** Undefined for anything that is not kept. */
export function typeOfBytes(bytes: Buffer): FileType | undefined {
  return SIGNATURES.find(({ begins }) => begins.every((byte, at) => bytes[at] === byte));
}
