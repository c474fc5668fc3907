/*
 * The dictionary of packed texts, as compressors have one: names and texts that were found often in what domains store. Nothing of the store depends
 * on what they mean, and a domain that is not in it is stored a little longer. It is one list, not each domain's: what is stored tells an entry by its
 * place here, in whichever thread or program reads it, with the domains or without them (upgrades, checks, the indexer).
 */

/** Names of objects, in their order, which need not be said. More may be added at the end, none may be changed or moved. */
export const SHAPES: readonly string[] = [
  // a commit, and each of its events
  'events docs type userId cause',
  'type ids data',
  // processes
  'processInstanceId definitionId definitionKey businessKey',
  'processInstance at',
  'id definitionId startUserId runs',
  'id definitionId businessKey startUserId runs',
  'id definitionId startUserId endTime runs actor',
  'id definitionId businessKey startUserId endTime runs actor',
  'id definitionId startUserId startTime runs',
  'id definitionId businessKey startUserId startTime runs',
  // tasks
  'taskId assignee processInstanceId definitionId definitionKey',
  'task processInstance at',
  'id instanceId definitionId elementId element tokenId activity',
  'id instanceId definitionId elementId element tokenId activity name',
  'id instanceId definitionId elementId element tokenId activity name candidateUsers',
  'id instanceId definitionId elementId element tokenId activity name candidateGroups',
  'id instanceId definitionId elementId element tokenId activity name actor',
  'id instanceId definitionId elementId element tokenId activity name candidateUsers actor',
  'id instanceId definitionId elementId element tokenId activity name candidateGroups actor',
  'id instanceId definitionId businessKey elementId element tokenId activity name',
  'id instanceId definitionId businessKey elementId element tokenId activity name candidateUsers',
  'id instanceId definitionId businessKey elementId element tokenId activity name candidateGroups',
  'id instanceId definitionId businessKey elementId element tokenId activity name actor',
  'id instanceId definitionId businessKey elementId element tokenId activity name candidateUsers actor',
  'id instanceId definitionId businessKey elementId element tokenId activity name candidateGroups actor',
  // life cycles
  'value context',
  'started',
  'assignee owner',
  // nodes
  'nodeId',
  'eventType identifier nodeType path userId timestamp sourcePath before',
  'eventType identifier nodeType path sourcePath userId timestamp before',
  'parentId acl',
  // causes
  'traceparent',
  'traceparent traceStart commandId instanceId jobId',
  // instances as documents, with their state
  'id definitionId startUserId runs state',
  'id definitionId businessKey startUserId runs state',
  'id definitionId startUserId startTime runs state',
  'id definitionId businessKey startUserId startTime runs state',
  'id definitionId startUserId endTime runs actor state',
  'id definitionId businessKey startUserId endTime runs actor state',
  'next scopes tokens',
  'id parent element variables',
  'id element scope via activity wait',
  'id element scope via activity wait opens',
  'id element scope via activity wait boundaries',
  'element wait',
  'kind',
  'kind id',
  'kind id of',
  'type value',
  // runs
  'id type userId definitionId history command',
  'id type at userId definitionId history command',
  'id type userId traceparent definitionId history command',
  'id type at userId traceparent definitionId history command',
  'input seed rules steps',
  'type element variables',
  'type taskId variables localVariables',
  'type jobId',
];

/** Texts of 8 and more characters that they often hold: at most 52. More may be added at the end, none may be changed or moved. */
export const WORDS: readonly string[] = [
  'process.started',
  'process.ended',
  'process.updated',
  'task.created',
  'task.assigned',
  'task.updated',
  'task.completed',
  'task.deleted',
  'node.changed',
  'processInstance',
  'startProcess',
  'completeTask',
  'claimTask',
  'completed',
  'cancelled',
  'nt:folder',
  'nt:resource',
  'nt:unstructured',
  'reactionPosition',
  'subscription',
  'createFolder',
  'setProperties',
  'MODIFIED',
];
