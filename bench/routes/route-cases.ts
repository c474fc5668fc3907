/** Routes that begin at `direct:in` and end at `mock:out`, for Camel as for us. */
export const ROUTE_CASES = {
  five: {
    words: 'setHeader → choice → filter → transform → mock',
    body: 'x',
    yaml: `
- route:
    id: five
    from:
      uri: direct:in
      steps:
        - setHeader: { name: kind, constant: a }
        - choice:
            when:
              - simple: "\${header.n} > 5"
                steps: [{ setHeader: { name: size, constant: big } }]
            otherwise:
              steps: [{ setHeader: { name: size, constant: small } }]
        - filter:
            simple: "\${header.kind} == 'a'"
            steps: [{ setHeader: { name: seen, constant: "yes" } }]
        - transform: { simple: "hello \${body}" }
        - to: { uri: "mock:out?retainFirst=1" }
`,
  },
  split: {
    words: 'split into 10 → aggregate 10 → mock',
    body: '0,1,2,3,4,5,6,7,8,9',
    yaml: `
- route:
    id: split
    from:
      uri: direct:in
      steps:
        - split:
            tokenize: ","
            steps:
              - aggregate:
                  correlationExpression: { constant: all }
                  aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
                  completionSize: 10
                  steps:
                    - to: { uri: "mock:out?retainFirst=1" }
`,
  },
} as const;

export type RouteCase = keyof typeof ROUTE_CASES;

/** What is kept of each exchange beside the counters of its route: nothing; its steps with their times, packed in memory; the same, written and indexed by a thread. */
export type Kept = 'counters' | 'steps' | 'index';

/** What exchanges cost. */
export interface ExchangesMeasured {
  readonly operations: number;
  readonly wallMs: number;
  /** CPU time of all threads, in µs. */
  readonly cpuMicros: number;
  /** CPU time of the thread in which the routes run, in µs. */
  readonly threadMicros: number;
}
