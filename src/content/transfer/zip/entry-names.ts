/** The folder of an archive that tells of its nodes. */
export const SIDECAR = '.cms-archive/';

/**
 * The names of an archive's entries: paths of nodes, made such that every reader of ZIP files takes them. Each is given once, whatever it had to
 * be changed to.
 */
export class EntryNames {
  readonly #taken = new Set<string>();

  /** `path`: relative, with names as in paths of nodes: `a/b[2]`. */
  of(path: string): string {
    const safe = safeName(path);
    let name = safe;
    for (let n = 2; this.#taken.has(name); n++) name = numbered(safe, n);
    this.#taken.add(name);
    return name;
  }
}

function safeName(path: string): string {
  const name = path.replace(/\\/g, '_').replace(/^([A-Za-z]):/, '$1_');
  // The first of that name, in the manner of paths: what the archive itself says lies beside it.
  return `${name}/`.startsWith(SIDECAR) ? `.cms-archive[1]${name.slice(SIDECAR.length - 1)}` : name;
}

/** The number stands before the extension, so that the file opens with what it should. */
function numbered(name: string, n: number): string {
  const slash = name.lastIndexOf('/') + 1;
  const dot = name.lastIndexOf('.');
  return dot > slash ? `${name.slice(0, dot)}[${n}]${name.slice(dot)}` : `${name}[${n}]`;
}
