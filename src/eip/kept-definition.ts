/** What a route runs, as it is kept. Made where it is prepared: of ten thousand steps, it holds up whoever makes it. */
export interface KeptDefinition {
  /** The same as long as the route does the same. */
  readonly hash: string;
  /** JSON of its `RouteDefinition`. */
  readonly text: string;
}
