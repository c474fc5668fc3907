import type { AnyStateMachine, EventFromLogic } from 'xstate';
import { type ActorOf, can, step } from '../../src/store/index.js';

/** The actor after an event; undefined where its state does not accept it. */
export const moved = <M extends AnyStateMachine>(
  machine: M,
  actor: ActorOf<M>,
  event: EventFromLogic<M>,
): ActorOf<M> | undefined => (can(machine, actor, event) ? step(machine, actor, event)[0] : undefined);
