/** Something stored that is not what was written, or not where it belongs. */
export interface Finding {
  /** The file, within the data folder: `system/log.db`. */
  readonly file: string;
  /** The collection's name, or `commit`, `outcome`, `meta`, `file`. */
  readonly what: string;
  /** Which of them; null: all of it, or it is not known. */
  readonly id: string | null;
  readonly problem: string;
}
