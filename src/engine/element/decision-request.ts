import type { DecisionOutcome } from '../decision/outcome.js';
import type { Variables } from './typed-value.js';

/** A decision as a business rule task names it, and what it looks at. */
export interface DecisionRequest {
  readonly key: string;
  readonly binding: 'latest' | 'deployment' | 'version' | 'versionTag';
  readonly version: number | null;
  readonly versionTag: string | null;
  readonly variables: Variables;
}

/** What was decided; a decision that takes long is asked for. */
export interface Decided {
  readonly definitionId: string;
  readonly outcome?: DecisionOutcome;
  /** Of one that takes long: the compiled file that it is in. */
  readonly modelId?: string;
  /** Of one that takes long: what decides the chance in it, where there is any. */
  readonly seed?: string;
}
