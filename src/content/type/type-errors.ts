import { badRequest, ServiceError } from '../../shared/errors.js';

export const unknownType = (name: string) =>
  badRequest(`expected a registered node type, but there is no '${name}'`, {
    reason: 'unknown_node_type',
    resourceId: name,
  });

export const builtInType = (name: string) =>
  badRequest(`expected a node type of your own, but '${name}' is built in and stays as it is`, {
    reason: 'built_in_node_type',
    resourceId: name,
  });

/** A type that can't be registered; the sentence goes on behind its name. */
export const badType = (name: string, sentence: string) =>
  badRequest(`expected node type '${name}' ${sentence}`, { reason: 'invalid_node_type', resourceId: name });

/** A type that has to stay; `how`: what the other one needs it for, behind its name. */
export const neededType = (name: string, other: string, how: string) =>
  new ServiceError('CONFLICT', `expected node type '${name}' to be needed by no other, but '${other}' ${how}`, {
    reason: 'node_type_needed',
    resourceId: name,
  });
