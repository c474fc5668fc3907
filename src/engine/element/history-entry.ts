/**
 * The history of a run, compact; the process itself is activity instance 0 and not in it. At a gateway that joins each token is in an activity
 * instance of its own, which ends when the gateway has all that it waits for. [0, n, element, parent n, task id | null]: activity instance n
 * began; [1, n]: it completed; [2, n]: it was cancelled; [3, n, element, parent n]: it began and completed at once. 4 and 5: as 0 and 3, of the
 * body of an activity that repeats, which holds its instances. [6, n, element, parent n]: it goes on as that one, in another program.
 */
export type HistoryEntry =
  | readonly [0, number, number, number, string | null]
  | readonly [1, number]
  | readonly [2, number]
  | readonly [3, number, number, number]
  | readonly [4, number, number, number]
  | readonly [5, number, number, number]
  | readonly [6, number, number, number];
