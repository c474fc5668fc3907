import { ALLOWED_GROUPS, type Allowed, NO_WSDL } from './allow-groups.js';

const NO_TENANT = 'but a workspace is what elsewhere is called a tenant';
const NO_SERVICE = 'but a process is no service: values go by its variables';

/** The elements of an executable process, of its extensions, and of what it refers to. `a/b`: b within an a. */
export const ALLOWED: Readonly<Record<string, Allowed>> = {
  process: {
    like: ['element', 'container', 'noWork'],
    runs: 'name isExecutable camunda:candidateStarterUsers camunda:candidateStarterGroups camunda:versionTag camunda:historyTimeToLive camunda:jobPriority camunda:taskPriority camunda:isStartableInTasklist <camunda:executionListener> <camunda:potentialStarter> <property> <ioSpecification>',
    notes:
      'processType isClosed definitionalCollaborationRef <auditing> <monitoring> <supports> <supportedInterfaceRef> camunda:modelerTemplate camunda:modelerTemplateVersion camunda:modelerTemplateIcon <camunda:properties>',
    warned: {
      [NO_SERVICE]: '<ioBinding>',
      'but who may start it is said by candidate starters':
        '<resourceRole> <performer> <humanPerformer> <potentialOwner>',
      'but messages are found by their names and business keys': '<correlationSubscription>',
    },
    refused: '<camunda:inputOutput> <camunda:taskListener>',
  },
  subProcess: { like: ['activity', 'container', 'noWork'], runs: 'triggeredByEvent' },
  callActivity: {
    like: ['activity', 'noWork'],
    runs: 'calledElement camunda:calledElementBinding camunda:calledElementVersion camunda:calledElementVersionTag <camunda:in> <camunda:out>',
    notes: 'camunda:caseBinding camunda:caseVersion camunda:caseTenantId',
    warned: { [NO_TENANT]: 'camunda:calledElementTenantId' },
    refused: 'camunda:caseRef camunda:variableMappingClass camunda:variableMappingDelegateExpression',
  },
  adHocSubProcess: {
    like: ['activity', 'container', 'noWork'],
    runs: 'ordering cancelRemainingInstances <completionCondition>',
    refused: 'triggeredByEvent',
  },
  transaction: { like: ['activity', 'container', 'noWork'], notes: 'method' },
  laneSet: { like: ['element'], runs: '<lane>', notes: 'name' },
  childLaneSet: { like: ['element'], runs: '<lane>', notes: 'name' },
  lane: {
    like: ['element'],
    runs: 'name <flowNodeRef> <childLaneSet>',
    notes: 'partitionElementRef <partitionElement> <camunda:properties>',
  },
  association: { like: ['element'], runs: 'sourceRef targetRef', notes: 'associationDirection' },
  task: { like: ['activity', 'noWork'] },
  manualTask: { like: ['activity', 'noWork'] },
  userTask: {
    like: ['activity', 'noWork', 'form'],
    runs: 'camunda:assignee camunda:candidateUsers camunda:candidateGroups camunda:dueDate camunda:followUpDate camunda:priority <humanPerformer> <potentialOwner> <camunda:taskListener>',
    notes: 'implementation <rendering>',
  },
  serviceTask: { like: ['activity', 'work'] },
  sendTask: { like: ['activity', 'work'], runs: 'messageRef <camunda:in>' },
  businessRuleTask: {
    like: ['activity', 'work'],
    runs: 'camunda:decisionRef camunda:decisionRefBinding camunda:decisionRefVersion camunda:decisionRefVersionTag camunda:mapDecisionResult',
    warned: { [NO_TENANT]: 'camunda:decisionRefTenantId' },
  },
  receiveTask: {
    like: ['activity', 'noWork'],
    runs: 'messageRef instantiate',
    notes: 'implementation',
    warned: { [NO_WSDL]: 'operationRef' },
  },
  scriptTask: {
    like: ['activity', 'noWork'],
    runs: 'scriptFormat camunda:resource camunda:resultVariable camunda:resultVariableName <script>',
  },
  startEvent: {
    like: ['catching', 'form'],
    runs: 'camunda:initiator isInterrupting <compensateEventDefinition> <errorEventDefinition> <escalationEventDefinition>',
  },
  intermediateCatchEvent: { like: ['catching'], runs: '<linkEventDefinition>' },
  boundaryEvent: {
    like: ['catching'],
    runs: 'attachedToRef cancelActivity <cancelEventDefinition> <compensateEventDefinition> <errorEventDefinition> <escalationEventDefinition>',
  },
  intermediateThrowEvent: {
    like: ['throwing'],
    runs: '<compensateEventDefinition> <escalationEventDefinition> <linkEventDefinition>',
  },
  endEvent: {
    like: ['throwing'],
    runs: '<cancelEventDefinition> <compensateEventDefinition> <errorEventDefinition> <escalationEventDefinition> <terminateEventDefinition>',
  },
  exclusiveGateway: { like: ['gateway'], runs: 'default' },
  inclusiveGateway: { like: ['gateway'], runs: 'default' },
  complexGateway: { like: ['gateway'], runs: 'default <activationCondition>' },
  parallelGateway: { like: ['gateway'] },
  eventBasedGateway: { like: ['gateway'], runs: 'eventGatewayType instantiate' },
  sequenceFlow: {
    like: ['flowElement', 'noWork'],
    runs: 'sourceRef targetRef <conditionExpression> <camunda:executionListener>',
    notes: 'isImmediate',
  },
  conditionExpression: { like: ['expression'], runs: 'camunda:resource' },
  messageEventDefinition: {
    like: ['element'],
    runs: 'messageRef <camunda:in>',
    warned: { [NO_WSDL]: '<operationRef>' },
  },
  'intermediateThrowEvent/messageEventDefinition': {
    like: ['element', 'work'],
    runs: 'messageRef <camunda:in>',
    warned: { [NO_WSDL]: '<operationRef>' },
  },
  'endEvent/messageEventDefinition': {
    like: ['element', 'work'],
    runs: 'messageRef <camunda:in>',
    warned: { [NO_WSDL]: '<operationRef>' },
  },
  signalEventDefinition: {
    like: ['element'],
    runs: 'signalRef <camunda:in>',
    warned: { 'but a signal always reaches other instances by jobs, and the own one at once': 'camunda:async' },
  },
  timerEventDefinition: { like: ['element'], runs: '<timeDate> <timeDuration> <timeCycle>' },
  timeDate: { like: ['expression'] },
  timeDuration: { like: ['expression'] },
  timeCycle: { like: ['expression'] },
  errorEventDefinition: { like: ['element'], runs: 'errorRef camunda:errorCodeVariable camunda:errorMessageVariable' },
  terminateEventDefinition: { like: ['element'] },
  escalationEventDefinition: { like: ['element'], runs: 'escalationRef camunda:escalationCodeVariable' },
  conditionalEventDefinition: { like: ['element'], runs: '<condition> camunda:variableName camunda:variableEvents' },
  condition: { like: ['expression'], runs: 'camunda:resource' },
  compensateEventDefinition: { like: ['element'], runs: 'activityRef waitForCompletion' },
  cancelEventDefinition: { like: ['element'] },
  linkEventDefinition: { like: ['element'], runs: 'name', notes: '<source> <target>' },
  humanPerformer: {
    like: ['element'],
    runs: '<resourceAssignmentExpression>',
    notes: 'name',
    warned: { 'but who it is, is said by an expression alone': '<resourceRef> <resourceParameterBinding>' },
  },
  potentialOwner: {
    like: ['element'],
    runs: '<resourceAssignmentExpression>',
    notes: 'name',
    warned: { 'but who it is, is said by an expression alone': '<resourceRef> <resourceParameterBinding>' },
  },
  resourceAssignmentExpression: { like: ['element'], runs: '<formalExpression> <expression>' },
  formalExpression: { like: ['expression'] },
  standardLoopCharacteristics: { like: ['element'], runs: 'testBefore loopMaximum <loopCondition>' },
  loopCondition: { like: ['expression'], refused: 'camunda:resource' },
  multiInstanceLoopCharacteristics: {
    like: ['element'],
    runs: [
      'isSequential behavior oneBehaviorEventRef noneBehaviorEventRef <loopCardinality> <loopDataInputRef> <loopDataOutputRef> <inputDataItem>',
      '<outputDataItem> <complexBehaviorDefinition> <completionCondition> camunda:collection camunda:elementVariable camunda:async',
      'camunda:asyncBefore camunda:asyncAfter camunda:exclusive <camunda:failedJobRetryTimeCycle>',
    ].join(' '),
  },
  loopCardinality: { like: ['expression'], refused: 'camunda:resource' },
  activationCondition: { like: ['expression'], refused: 'camunda:resource' },
  completionCondition: { like: ['expression'], refused: 'camunda:resource' },
  inputDataItem: { like: ['element'], runs: 'name', notes: 'isCollection itemSubjectRef' },
  outputDataItem: { like: ['element'], runs: 'name', notes: 'isCollection itemSubjectRef' },
  complexBehaviorDefinition: { like: ['element'], runs: '<condition> <event>' },
  'complexBehaviorDefinition/condition': { like: ['expression'], refused: 'camunda:resource' },
  'complexBehaviorDefinition/event': {
    like: ['element'],
    runs: 'name <eventDefinitionRef> <messageEventDefinition> <signalEventDefinition> <escalationEventDefinition>',
    refused: '<compensateEventDefinition>',
  },
  ioSpecification: { like: ['element'], runs: '<dataInput> <dataOutput>', notes: '<inputSet> <outputSet>' },
  dataInput: { like: ['data'], runs: 'isCollection' },
  dataOutput: { like: ['data'], runs: 'isCollection' },
  property: { like: ['data'] },
  dataObject: { like: ['data', 'flowElement'], runs: 'isCollection' },
  dataObjectReference: { like: ['data', 'flowElement'], runs: 'dataObjectRef' },
  dataStoreReference: { like: ['data', 'flowElement'], runs: 'dataStoreRef' },
  dataInputAssociation: { like: ['dataAssociation'] },
  dataOutputAssociation: { like: ['dataAssociation'] },
  assignment: { like: ['element'], runs: '<from> <to>' },
  from: { like: ['expression'], runs: 'camunda:resource' },
  to: { like: ['expression'] },
  transformation: { like: ['expression'], runs: 'camunda:resource' },
  documentation: { like: ['element'], notes: 'textFormat' },
  message: { like: ['element'], runs: 'name', notes: 'itemRef' },
  signal: { like: ['element'], runs: 'name', notes: 'structureRef' },
  escalation: { like: ['element'], runs: 'escalationCode', notes: 'name structureRef' },
  error: { like: ['element'], runs: 'errorCode camunda:errorMessage', notes: 'name structureRef' },
  'camunda:executionListener': { like: ['listener'] },
  'camunda:taskListener': { like: ['listener'], runs: '<timerEventDefinition>' },
  'camunda:field': { runs: 'name stringValue expression <camunda:string> <camunda:expression>' },
  'camunda:script': { runs: 'scriptFormat resource' },
  'camunda:in': { runs: 'source sourceExpression target variables local businessKey' },
  'camunda:out': { runs: 'source sourceExpression target variables local' },
  'camunda:inputOutput': { runs: '<camunda:inputParameter> <camunda:outputParameter>' },
  'camunda:inputParameter': { runs: 'name <camunda:list> <camunda:map> <camunda:script>' },
  'camunda:outputParameter': { runs: 'name <camunda:list> <camunda:map> <camunda:script>' },
  'camunda:list': { runs: '<camunda:value> <camunda:script> <camunda:list> <camunda:map>' },
  'camunda:map': { runs: '<camunda:entry>' },
  'camunda:entry': { runs: 'key <camunda:script> <camunda:list> <camunda:map>' },
  'camunda:value': { notes: 'id name' },
  'camunda:potentialStarter': { runs: '<resourceAssignmentExpression>' },
  'camunda:failedJobRetryTimeCycle': {},
  'camunda:errorEventDefinition': { runs: 'errorRef expression', notes: 'id' },
  'camunda:properties': { runs: '<camunda:property>' },
  'camunda:property': { runs: 'name value', notes: 'id' },
  'camunda:formData': {
    runs: '<camunda:formField>',
    warned: { 'but whoever starts a process gives its business key': 'businessKey' },
  },
  'camunda:formField': {
    runs: 'id label type datePattern defaultValue <camunda:properties> <camunda:validation> <camunda:value>',
  },
  'camunda:validation': { runs: '<camunda:constraint>' },
  'camunda:constraint': { runs: 'name config' },
};

export type Verdict =
  | { readonly kind: 'runs' | 'note' | 'refused' }
  | { readonly kind: 'warned'; readonly reason: string };

/** The verdicts on an element's attributes and `<children>`, its groups' included. */
export function verdictsOf(allowed: Allowed): ReadonlyMap<string, Verdict> {
  const found = new Map<string, Verdict>();
  for (const group of allowed.like ?? []) {
    for (const [name, verdict] of verdictsOf(ALLOWED_GROUPS[group] ?? {})) found.set(name, verdict);
  }
  for (const [reason, names] of Object.entries(allowed.warned ?? {})) add(found, names, { kind: 'warned', reason });
  add(found, allowed.notes, { kind: 'note' });
  add(found, allowed.runs, { kind: 'runs' });
  add(found, allowed.refused, { kind: 'refused' });
  return found;
}

function add(found: Map<string, Verdict>, names: string | undefined, verdict: Verdict): void {
  for (const name of names?.split(' ') ?? []) found.set(name, verdict);
}

/** How many letters of a slip of the pen are wrong. */
export const LETTERS_MAX = 4;

/** The attributes, without a prefix, that an element of BPMN may have. */
export const attributesOf = (kind: string): string[] =>
  [...verdictsOf(ALLOWED[kind] ?? {}).keys()].filter((name) => !/[<:=]/.test(name));
