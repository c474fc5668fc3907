/** Camunda's worker in JavaScript, as far as the tests use it. */
declare module 'camunda-external-task-client-js' {
  export interface Task {
    readonly id: string;
    readonly businessKey: string | null;
    readonly retries: number | null;
    readonly errorMessage: string | null;
    readonly variables: Variables;
  }
  export interface TaskService {
    complete(task: Task, variables?: Variables, localVariables?: Variables): Promise<void>;
    handleFailure(task: Task, options: object): Promise<void>;
    handleBpmnError(task: Task, code: string, message?: string, variables?: Variables): Promise<void>;
    extendLock(task: Task, newDuration: number): Promise<void>;
    lock(task: Task, lockDuration: number): Promise<void>;
    unlock(task: Task): Promise<void>;
  }
  export class Client {
    constructor(options: object);
    subscribe(topic: string, handler: (work: { task: Task; taskService: TaskService }) => Promise<void>): void;
    on(event: string, listener: (...told: readonly unknown[]) => void): void;
    stop(): void;
  }
  export class Variables {
    // biome-ignore lint/suspicious/noExplicitAny: the values of variables are of any kind
    get(name: string): any;
    getAll(): Record<string, unknown>;
    set(name: string, value: unknown): this;
    setAll(values: object): this;
  }
  export class File {
    constructor(options: object);
    load(): Promise<this>;
  }
  export class BasicAuthInterceptor {
    constructor(credentials: { readonly username: string; readonly password: string });
  }
}
