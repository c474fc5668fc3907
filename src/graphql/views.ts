import type { Property } from '../content/index.js';
import type { ProcessInstance, ProcessInstanceView, Task } from '../engine/index.js';
import type { Nested } from '../identity/index.js';

/** An instance as it is stored, or as an event carried it: without tokens and variables. */
export type InstanceView = ProcessInstanceView & Partial<Pick<ProcessInstance, 'state' | 'spilled'>>;

/** A task as it is stored, or as an event carried it: with its instance, which may be gone by now. */
export type TaskView = Task & { readonly processInstance?: InstanceView };

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
