/** An external task that a run has made. */
export interface NewExternalTask {
  readonly id: string;
  readonly topic: string;
  readonly priority: number;
  readonly tokenId: number;
  readonly activity: number;
  readonly element: number;
}

/** Facts of an external task as a worker's report leaves it. */
export interface ExternalFacts {
  readonly topic: string;
  readonly priority: number;
  readonly workerId: string | null;
  /** null: nobody has said how many are left. */
  readonly retries: number | null;
  readonly errorMessage: string | null;
  readonly errorDetails: string | null;
}

/** An external task with what a worker has reported of it, in the conditions of `camunda:errorEventDefinition`. */
export interface ReportedTask extends ExternalFacts {
  readonly id: string;
}
