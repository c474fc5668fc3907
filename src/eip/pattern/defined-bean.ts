/** A bean that stands for what a definition could say itself: an error handler, a load balancer, a repository in memory; with the options that it is given. */
export class DefinedBean {
  readonly of: 'aggregationRepository' | 'errorHandler' | 'loadBalancer';
  /** As the DSL calls it: `deadLetterChannel`. */
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;

  constructor(of: DefinedBean['of'], kind: string, options: DefinedBean['options']) {
    this.of = of;
    this.kind = kind;
    this.options = options;
  }
}
