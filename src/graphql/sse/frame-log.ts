/** Frames of the GraphQL over Server-Sent Events protocol (graphql-sse, PROTOCOL.md). `id` is what the client resumes from. */

/** One result, as JSON; `operationId` in single connection mode. */
export const nextFrame = (result: string, id?: string, operationId?: string): string =>
  `event: next\n${idLine(id)}data: ${operationId === undefined ? result : `{"id":${JSON.stringify(operationId)},"payload":${result}}`}\n\n`;

/** The end of an operation; final for the client. */
export const completeFrame = (id?: string, operationId?: string): string =>
  `event: complete\n${idLine(id)}data:${operationId === undefined ? '' : ` ${JSON.stringify({ id: operationId })}`}\n\n`;

/** A comment that keeps proxies from closing the connection; its id moves the client's place on without an event. */
export const heartbeatFrame = (id?: string): string => `: heartbeat\n${idLine(id)}\n`;

/** The standard takes an id with NUL for none, and a line break would end it. */
const idLine = (id: string | undefined) => (id === undefined || /[\0\r\n]/.test(id) ? '' : `id: ${id}\n`);

/** The last frames of a stream, numbered from 1, for a client that comes back. */
export class FrameLog {
  readonly #framesMax: number;
  readonly #charsMax: number;
  #frames: string[] = [];
  #chars = 0;
  #last = 0;

  constructor(framesMax: number, charsMax: number) {
    this.#framesMax = framesMax;
    this.#charsMax = charsMax;
  }

  /** The number of the last frame; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /**
   * Keeps the next frame; older ones go when there are too many, or they are too long together. One that is too long by itself is kept until
   * it is sent: without it, its operation begins again.
   */
  append(frame: string, isSent = false): void {
    this.#last++;
    this.#frames.push(frame);
    this.#chars += frame.length;
    while (
      this.#frames.length > this.#framesMax ||
      (this.#chars > this.#charsMax && this.#frames.length > Number(!isSent))
    ) {
      this.#chars -= this.#frames.shift()?.length ?? 0;
    }
  }

  /** The frames behind number `sequence`, in order; undefined when some of them are no longer there, or there never was such a number. */
  after(sequence: number): readonly string[] | undefined {
    const missing = this.#last - sequence;
    if (missing < 0 || missing > this.#frames.length) return undefined;
    return missing === 0 ? [] : this.#frames.slice(-missing);
  }

  /** Forgets the frames, not how many there were: their operations begin again elsewhere. */
  clear(): void {
    this.#frames = [];
    this.#chars = 0;
  }
}

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
