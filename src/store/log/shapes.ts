/**
 * Names of objects that commits often hold, in the order of those, which need not say them. What is stored tells a shape by its place here: more may
 * be added at the end, none may be changed or moved.
 */
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
];

/** Texts of 8 and more characters that commits often hold: at most 52. More may be added at the end, none may be changed or moved. */
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
