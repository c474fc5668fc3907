/** What an archive may ask of an import. */
export interface ImportLimits {
  /** The bytes of all entries, unpacked. */
  readonly bytesMax: number;
  /** Entries of the ZIP, and nodes that it makes. */
  readonly entriesMax: number;
  /** How many times as large as packed an entry of more than 1 MiB may be. */
  readonly ratioMax: number;
  /** Names in the path of an entry. */
  readonly depthMax: number;
}
