/** Why an evaluation cannot go on; becomes the cause of an EXECUTION_FAILED that names the expression. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
}

/** An expression used a name that is neither variable nor bean. */
export class UnknownName extends Failure {
  override readonly name = 'UnknownName';
  readonly unknown: string;

  constructor(unknown: string) {
    super(`unknown name '${unknown}'`);
    this.unknown = unknown;
  }
}
