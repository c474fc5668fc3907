/**
 * What a model may hold, element by element: what is executed, what is a note (drawn or told, without effect on any engine's run), what is passed
 * over with a warning, and what is refused. Attributes stand by their names, children as `<name>`; those of Camunda's dialect with its prefix.
 * What is not listed is warned of. The tables in docs/bpmn-elements.md are written from it.
 */
interface Allowed {
  /** Groups whose entries it has too. */
  readonly like?: readonly string[];
  readonly runs?: string;
  readonly notes?: string;
  /** By the reason, which goes on a sentence: `has a camunda:formRef, <reason>`. `name=value`: that value says nothing, and is a note. */
  readonly warned?: Readonly<Record<string, string>>;
  /** Refused by the compiler, in its own words: an attribute where it says more than its default, or, as `name=value`, that value. */
  readonly refused?: string;
}

const NO_DATA = 'but values go by camunda:inputOutput and by variables alone';
const NO_FORM = 'but forms are those of camunda:formKey, camunda:formRef and camunda:formData';
const NO_ROLE = 'but only potential owners and a human performer count';
const NO_WORK_HERE = 'which only tasks that call something, and thrown messages, can have';
const NO_WSDL = 'but nothing is called by it: what to do is said by camunda:class and its like';

/** Entries that several kinds of element share. What an element says itself counts before what its groups say. */
export const ALLOWED_GROUPS: Readonly<Record<string, Allowed>> = {
  element: { runs: 'id <documentation> <extensionElements>', notes: '<extensionDefinitions>' },
  flowElement: {
    like: ['element'],
    runs: 'name',
    notes:
      '<auditing> <monitoring> <categoryValueRef> camunda:modelerTemplate camunda:modelerTemplateVersion camunda:modelerTemplateIcon <camunda:properties>',
    refused: '<camunda:taskListener>',
  },
  flowNode: {
    like: ['flowElement'],
    runs: 'camunda:async camunda:asyncBefore camunda:asyncAfter camunda:exclusive camunda:jobPriority <camunda:executionListener> <camunda:failedJobRetryTimeCycle>',
    notes: '<incoming> <outgoing>',
  },
  activity: {
    like: ['flowNode'],
    runs: 'default isForCompensation startQuantity completionQuantity <camunda:inputOutput> <standardLoopCharacteristics> <multiInstanceLoopCharacteristics>',
    warned: {
      [NO_DATA]: '<ioSpecification> <property> <dataInputAssociation> <dataOutputAssociation>',
      [NO_ROLE]: '<performer> <resourceRole>',
    },
  },
  work: {
    runs: 'camunda:class camunda:delegateExpression camunda:expression camunda:resultVariable camunda:resultVariableName camunda:type=external camunda:topic camunda:taskPriority <camunda:errorEventDefinition> <camunda:properties> <camunda:field>',
    notes: 'implementation',
    warned: { [NO_WSDL]: 'operationRef' },
    refused: 'camunda:type <camunda:connector>',
  },
  noWork: { warned: { [NO_WORK_HERE]: '<camunda:connector> <camunda:field> <camunda:errorEventDefinition>' } },
  form: {
    runs: 'camunda:formKey camunda:formRef camunda:formRefBinding camunda:formRefVersion <camunda:formData>',
    warned: { [NO_FORM]: 'camunda:formHandlerClass <camunda:formProperty>' },
  },
  catching: {
    like: ['flowNode', 'noWork'],
    runs: 'parallelMultiple <camunda:inputOutput> <eventDefinitionRef> <messageEventDefinition> <timerEventDefinition> <signalEventDefinition> <conditionalEventDefinition>',
    notes: '<outputSet>',
    warned: { [NO_DATA]: '<property> <dataOutput> <dataOutputAssociation>' },
    refused:
      '<errorEventDefinition> <terminateEventDefinition> <escalationEventDefinition> <compensateEventDefinition> <linkEventDefinition> <cancelEventDefinition>',
  },
  throwing: {
    like: ['flowNode', 'noWork'],
    runs: '<camunda:inputOutput> <eventDefinitionRef> <messageEventDefinition> <signalEventDefinition>',
    notes: '<inputSet>',
    warned: { [NO_DATA]: '<property> <dataInput> <dataInputAssociation>' },
    refused:
      '<timerEventDefinition> <errorEventDefinition> <terminateEventDefinition> <conditionalEventDefinition> <escalationEventDefinition> <compensateEventDefinition> <linkEventDefinition> <cancelEventDefinition>',
  },
  gateway: { like: ['flowNode', 'noWork'], notes: 'gatewayDirection', refused: '<camunda:inputOutput>' },
  container: {
    runs: [
      '<startEvent> <endEvent> <intermediateCatchEvent> <intermediateThrowEvent> <boundaryEvent> <task> <userTask> <serviceTask> <sendTask>',
      '<receiveTask> <scriptTask> <manualTask> <businessRuleTask> <subProcess> <exclusiveGateway> <parallelGateway> <inclusiveGateway>',
      '<eventBasedGateway> <adHocSubProcess> <sequenceFlow> <transaction> <association> <callActivity>',
    ].join(' '),
    notes: '<laneSet> <textAnnotation> <group> <dataObject> <dataObjectReference> <dataStoreReference>',
    refused: '<complexGateway>',
  },
  expression: { like: ['element'], runs: 'language', notes: 'evaluatesToTypeRef' },
  listener: {
    runs: 'event class delegateExpression expression <camunda:script> <camunda:field>',
    notes: 'id',
  },
};

/** The elements of an executable process, of its extensions, and of what it refers to. `a/b`: b within an a. */
export const ALLOWED: Readonly<Record<string, Allowed>> = {
  process: {
    like: ['element', 'container', 'noWork'],
    runs: 'name isExecutable camunda:candidateStarterUsers camunda:candidateStarterGroups camunda:versionTag camunda:historyTimeToLive camunda:jobPriority camunda:taskPriority <camunda:executionListener> <camunda:potentialStarter>',
    notes:
      'processType isClosed definitionalCollaborationRef <auditing> <monitoring> <supports> <supportedInterfaceRef> camunda:modelerTemplate camunda:modelerTemplateVersion camunda:modelerTemplateIcon camunda:isStartableInTasklist=true <camunda:properties>',
    warned: {
      [NO_DATA]: '<property> <ioSpecification> <ioBinding>',
      'but who may start it is said by candidate starters':
        '<resourceRole> <performer> <humanPerformer> <potentialOwner>',
      'but messages are found by their names and business keys': '<correlationSubscription>',
      'but whoever may start it is offered it': 'camunda:isStartableInTasklist',
    },
    refused: '<camunda:inputOutput> <camunda:taskListener>',
  },
  subProcess: { like: ['activity', 'container', 'noWork'], runs: 'triggeredByEvent' },
  callActivity: {
    like: ['activity', 'noWork'],
    runs: 'calledElement camunda:calledElementBinding camunda:calledElementVersion camunda:calledElementVersionTag <camunda:in> <camunda:out>',
    notes: 'camunda:caseBinding camunda:caseVersion camunda:caseTenantId',
    warned: { 'but a workspace is what elsewhere is called a tenant': 'camunda:calledElementTenantId' },
    refused: 'camunda:caseRef camunda:variableMappingClass camunda:variableMappingDelegateExpression',
  },
  adHocSubProcess: {
    like: ['activity', 'container', 'noWork'],
    runs: 'ordering cancelRemainingInstances <completionCondition>',
    refused: 'triggeredByEvent',
  },
  transaction: { like: ['activity', 'container', 'noWork'], notes: 'method' },
  association: { like: ['element'], runs: 'sourceRef targetRef', notes: 'associationDirection' },
  task: { like: ['activity', 'noWork'] },
  manualTask: { like: ['activity', 'noWork'] },
  userTask: {
    like: ['activity', 'noWork', 'form'],
    runs: 'camunda:assignee camunda:candidateUsers camunda:candidateGroups camunda:dueDate camunda:followUpDate camunda:priority <humanPerformer> <potentialOwner> <camunda:taskListener>',
    notes: 'implementation <rendering>',
  },
  serviceTask: { like: ['activity', 'work'] },
  sendTask: { like: ['activity', 'work'], notes: 'messageRef' },
  businessRuleTask: {
    like: ['activity', 'work'],
    runs: 'camunda:decisionRef camunda:decisionRefBinding camunda:decisionRefVersion camunda:decisionRefVersionTag camunda:mapDecisionResult',
    notes: 'camunda:decisionRefTenantId',
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
  parallelGateway: { like: ['gateway'] },
  eventBasedGateway: { like: ['gateway'], runs: 'eventGatewayType instantiate' },
  sequenceFlow: {
    like: ['flowElement', 'noWork'],
    runs: 'sourceRef targetRef <conditionExpression> <camunda:executionListener>',
    notes: 'isImmediate',
  },
  conditionExpression: { like: ['expression'], runs: 'camunda:resource' },
  messageEventDefinition: { like: ['element'], runs: 'messageRef', warned: { [NO_WSDL]: '<operationRef>' } },
  'intermediateThrowEvent/messageEventDefinition': {
    like: ['element', 'work'],
    runs: 'messageRef',
    warned: { [NO_WSDL]: '<operationRef>' },
  },
  'endEvent/messageEventDefinition': {
    like: ['element', 'work'],
    runs: 'messageRef',
    warned: { [NO_WSDL]: '<operationRef>' },
  },
  signalEventDefinition: {
    like: ['element'],
    runs: 'signalRef',
    warned: { 'but a signal always reaches other instances by jobs, and the own one at once': 'camunda:async' },
    refused: '<camunda:in>',
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
  'camunda:formData': { runs: '<camunda:formField>', notes: 'businessKey' },
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
