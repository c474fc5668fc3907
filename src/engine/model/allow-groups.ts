/**
 * Elements and attributes that a model may hold: what is executed, what is a note (drawn or told, without effect on any engine's run), what is passed
 * over with a warning, and what is refused. Attributes stand by their names, children as `<name>`; those of Camunda's dialect with its prefix.
 * What is not listed is warned of. The tables in docs/bpmn-elements.md are written from it.
 */
export interface Allowed {
  /** Groups whose entries it has too. */
  readonly like?: readonly string[];
  readonly runs?: string;
  readonly notes?: string;
  /** By the reason, which goes on a sentence: `has a camunda:formRef, <reason>`. `name=value`: that value says nothing, and is a note. */
  readonly warned?: Readonly<Record<string, string>>;
  /** Refused by the compiler, in its own words: an attribute where it says more than its default, or, as `name=value`, that value. */
  readonly refused?: string;
}

const NO_FORM = 'but forms are those of camunda:formKey, camunda:formRef and camunda:formData';
const NO_ROLE = 'but only potential owners and a human performer count';
const NO_WORK_HERE = 'which only tasks that call something, and thrown messages, can have';
export const NO_WSDL = 'but nothing is called by it: what to do is said by camunda:class and its like';

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
    runs: 'default isForCompensation startQuantity completionQuantity <camunda:inputOutput> <standardLoopCharacteristics> <multiInstanceLoopCharacteristics> <ioSpecification> <property> <dataInputAssociation> <dataOutputAssociation>',
    warned: {
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
    runs: 'parallelMultiple <camunda:inputOutput> <eventDefinitionRef> <messageEventDefinition> <timerEventDefinition> <signalEventDefinition> <conditionalEventDefinition> <property> <dataOutput> <dataOutputAssociation>',
    notes: '<outputSet>',
    refused:
      '<errorEventDefinition> <terminateEventDefinition> <escalationEventDefinition> <compensateEventDefinition> <linkEventDefinition> <cancelEventDefinition>',
  },
  throwing: {
    like: ['flowNode', 'noWork'],
    runs: '<camunda:inputOutput> <eventDefinitionRef> <messageEventDefinition> <signalEventDefinition> <property> <dataInput> <dataInputAssociation>',
    notes: '<inputSet>',
    refused:
      '<timerEventDefinition> <errorEventDefinition> <terminateEventDefinition> <conditionalEventDefinition> <escalationEventDefinition> <compensateEventDefinition> <linkEventDefinition> <cancelEventDefinition>',
  },
  gateway: { like: ['flowNode', 'noWork'], notes: 'gatewayDirection', refused: '<camunda:inputOutput>' },
  container: {
    runs: [
      '<startEvent> <endEvent> <intermediateCatchEvent> <intermediateThrowEvent> <boundaryEvent> <task> <userTask> <serviceTask> <sendTask>',
      '<receiveTask> <scriptTask> <manualTask> <businessRuleTask> <subProcess> <exclusiveGateway> <parallelGateway> <inclusiveGateway>',
      '<eventBasedGateway> <complexGateway> <adHocSubProcess> <sequenceFlow> <transaction> <association> <callActivity> <dataObject> <dataObjectReference> <dataStoreReference> <laneSet>',
    ].join(' '),
    notes: '<textAnnotation> <group>',
  },
  expression: { like: ['element'], runs: 'language', notes: 'evaluatesToTypeRef' },
  data: { like: ['element'], runs: 'name itemSubjectRef', notes: '<dataState>' },
  dataAssociation: { like: ['element'], runs: '<sourceRef> <targetRef> <transformation> <assignment>' },
  listener: {
    runs: 'event class delegateExpression expression <camunda:script> <camunda:field>',
    notes: 'id',
  },
};
