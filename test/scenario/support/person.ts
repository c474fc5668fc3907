import type { ActivityInstance, Incident, Job, ProcessInstance, Task } from '../../../src/graphql/generated/schema.js';
import type { GraphqlClient } from '../../support/graphql-client.js';

/** Variables as a person thinks of them. */
export type Values = Readonly<Record<string, unknown>>;

const TASK = `id name description state assignee owner created due priority candidateUsers candidateGroups taskDefinitionKey formKey
  processInstanceId processDefinitionKey availableOperations`;

/** Somebody who works with processes through the API. */
export class Person {
  readonly client: GraphqlClient;

  constructor(client: GraphqlClient) {
    this.client = client;
  }

  /** Starts the newest version of a process; gives the instance's id. */
  async start(definitionKey: string, values: Values = {}, businessKey?: string): Promise<string> {
    const input = { definitionKey, businessKey, variables: variablesOf(values) };
    const { startProcess } = await this.client.run(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      { input },
    );
    return startProcess.id;
  }

  /** The open tasks of an instance, oldest first. */
  async tasks(processInstanceId: string): Promise<Task[]> {
    const { tasks } = await this.client.run(
      `query ($id: String!) { tasks(processInstanceId: $id, sortBy: CREATED, sortOrder: ASC) { edges { node { ${TASK} } } } }`,
      { id: processInstanceId },
    );
    return tasks.edges.map(({ node }) => node);
  }

  /** The open task of an element of an instance. */
  async task(processInstanceId: string, elementId: string): Promise<Task> {
    const open = await this.tasks(processInstanceId);
    const found = open.filter((task) => task.taskDefinitionKey === elementId);
    const [task] = found;
    if (task !== undefined && found.length === 1) return task;
    throw new Error(`expected one task '${elementId}', but found ${open.map((it) => it.taskDefinitionKey).join(', ')}`);
  }

  async claim(task: Pick<Task, 'id'>): Promise<Task> {
    const { claimTask } = await this.client.run(`mutation ($id: ID!) { claimTask(taskId: $id) { ${TASK} } }`, {
      id: task.id,
    });
    return claimTask;
  }

  async complete(task: Pick<Task, 'id'>, values: Values = {}): Promise<void> {
    const input = { taskId: task.id, variables: variablesOf(values) };
    await this.client.run('mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id } }', { input });
  }

  /** Finds, claims and completes the open task of an element. */
  async perform(processInstanceId: string, elementId: string, values: Values = {}): Promise<void> {
    await this.complete(await this.claim(await this.task(processInstanceId, elementId)), values);
  }

  async instance(id: string): Promise<ProcessInstance> {
    const { processInstance } = await this.client.run(
      `query ($id: ID!) { processInstance(id: $id) { id definitionKey businessKey state suspended ended startTime endTime startUserId
        incidentCount deleteReason activeActivityIds availableOperations variables { name type value } } }`,
      { id },
    );
    if (processInstance == null) throw new Error(`expected a process instance '${id}'`);
    return processInstance;
  }

  async variables(id: string): Promise<Record<string, unknown>> {
    const { variables } = await this.instance(id);
    return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  }

  /** Replaces all variables of the process. */
  async setVariables(id: string, values: Values): Promise<void> {
    await this.client.run(
      `mutation ($id: ID!, $variables: [ProcessVariableInput!]!) {
        setProcessVariables(processInstanceId: $id, variables: $variables) { id } }`,
      { id, variables: variablesOf(values) },
    );
  }

  /** Everything that happened to the instance's elements, oldest first. */
  async history(id: string): Promise<readonly ActivityInstance[]> {
    const { activityHistory } = await this.client.run(
      `query ($id: ID!) { activityHistory(processInstanceId: $id) { id activityId activityName activityType startTime endTime canceled
        completeScope durationInMillis taskId parentActivityInstanceId } }`,
      { id },
    );
    return activityHistory;
  }

  /** The elements of the history as `check`, `approve…` (still there) and `settle✗` (cancelled). */
  async path(id: string): Promise<string[]> {
    const history = await this.history(id);
    return history
      .filter(({ activityType }) => activityType !== 'processDefinition')
      .map((it) => `${it.activityId}${it.canceled ? '✗' : it.endTime == null ? '…' : ''}`);
  }

  async jobs(processInstanceId: string): Promise<Job[]> {
    const { jobs } = await this.client.run(
      `query ($id: ID!) { jobs(processInstanceId: $id) { edges { node { id type state due retries attempts activityId exceptionMessage } } } }`,
      { id: processInstanceId },
    );
    return jobs.edges.map(({ node }) => node);
  }

  async incidents(processInstanceId: string): Promise<Incident[]> {
    const { incidents } = await this.client.run(
      `query ($id: ID!) { incidents(processInstanceId: $id) { edges { node { id type message activityId activityName jobId jobRetries } } } }`,
      { id: processInstanceId },
    );
    return incidents.edges.map(({ node }) => node);
  }

  async setJobRetries(incidentId: string, retries: number): Promise<void> {
    await this.client.run('mutation ($input: SetJobRetriesInput!) { setJobRetries(input: $input) { id } }', {
      input: { incidentId, retries },
    });
  }

  /** Gives a message; answers the id of the instance that got it. */
  async message(
    messageName: string,
    values: Values = {},
    to: { businessKey?: string; processInstanceId?: string } = {},
  ) {
    const { correlateMessage } = await this.client.run(
      'mutation ($input: CorrelateMessageInput!) { correlateMessage(input: $input) { id } }',
      { input: { messageName, variables: variablesOf(values), ...to } },
    );
    return correlateMessage?.id ?? '';
  }

  /** Sets the virtual clock forward. */
  async advanceClock(by: string): Promise<void> {
    await this.client.run('mutation ($by: String!) { advanceClock(by: $by) }', { by });
  }
}

/** Variables as the API takes them, without types. */
export const variablesOf = (values: Values): { name: string; value: unknown }[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
