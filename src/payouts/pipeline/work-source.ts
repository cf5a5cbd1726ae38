/** Something that a worker looks for and takes up, each kind by itself: what fails at one holds no other up. */
export interface WorkSource {
  name: string;
  /** Looks what is due and begins as much of it as there is room for. Does not wait for what it began. */
  look(): Promise<void>;
  /** How much it has taken up until now. */
  taken(): number;
  /** Resolves when nothing that it began is under way. */
  settle(): Promise<void>;
  /** Begins nothing more. */
  close(): void;
}
