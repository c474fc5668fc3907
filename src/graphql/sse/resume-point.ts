/**
 * The id of a frame in single connection mode, `<position>~<stream>-<number>`: the position behind which nothing is missing to any operation of
 * the stream, and which frame of which stream it was. The frame is exact, but known to the server that sent it alone; the position is known
 * to all of them, and may repeat a few events.
 */
export interface ResumePoint {
  /** Undefined as long as no operation of the stream had a place. */
  readonly position: string | undefined;
  /** The stream's tag; undefined for a bare position. */
  readonly stream?: string;
  /** The frame's number. */
  readonly sequence?: number;
}

/** The id that names the point. */
export const writeResumePoint = ({ position = '', stream, sequence }: ResumePoint): string =>
  `${position}~${stream}-${sequence}`;

/** Reads an id, or a bare position such as `extensions.position` of a mutation. */
export function readResumePoint(id: string): ResumePoint {
  const match = /^(.*)~(\w+)-(\d{1,15})$/s.exec(id);
  if (match === null) return { position: id || undefined };
  const [, position, stream = '', sequence] = match;
  return { position: position || undefined, stream, sequence: Number(sequence) };
}
