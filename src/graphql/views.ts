import type { Property } from '../content/index.js';
import type { Route, RouteEndpoint, RouteFile, RouteModel, RouteSource, StepRecord } from '../eip/index.js';
import type { ExternalTask, ProcessInstance, ProcessInstanceView, Task } from '../engine/index.js';
import type { Nested } from '../identity/index.js';

/** An instance as it is stored, or as an event carried it: without tokens and variables. */
export type InstanceView = ProcessInstanceView & Partial<Pick<ProcessInstance, 'state' | 'spilled' | 'away'>>;

/** A task as it is stored, or as an event carried it: with its instance, which may be gone by now. */
export type TaskView = Task & { readonly processInstance?: InstanceView };

/** How a route or a template is written. */
export interface DefinitionView {
  readonly id: string;
  /** Null: the caller may not see it. */
  readonly source: RouteSource | null;
  readonly model: RouteModel | RouteFile;
}

/** An endpoint, and the route that uses it. */
export interface EndpointView extends RouteEndpoint {
  readonly route: Route;
}

/** All routes of a workspace, as they are when it is asked. */
export interface CamelContextView {
  readonly name: string;
  readonly all: readonly Route[];
}

/** A property of a node, with its name. */
export interface NamedProperty {
  readonly name: string;
  readonly propertyValue: Property;
}

/** A group or a role in a tree. */
export interface NestedTreeNode {
  readonly nested: Nested;
  /** How many levels it is below the top of the tree, from 0. */
  readonly depth: number;
  /** How many levels of the tree are wanted. */
  readonly levels: number;
}

export type Group = Nested<'group'>;
export type Role = Nested<'role'>;

/** A step that an exchange entered, with its number among those of its exchange. */
export interface OrderedStep extends StepRecord {
  readonly order: number;
}

/** An external task, as it is stored or was fetched. */
export interface ExternalTaskView extends ExternalTask {
  /** Names of the variables that it shows unless others are asked for. Default: all. */
  readonly shown?: readonly string[] | null;
}
