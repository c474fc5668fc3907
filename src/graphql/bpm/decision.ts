import {
  type DecisionInstance,
  decisionDefinitions,
  decisionInstances,
  decisionXml,
  findDecisionDefinition,
} from '../../engine/index.js';
import type {
  DecisionInstanceResolvers,
  DecisionValueResolvers,
  EvaluatedDecisionResolvers,
  MatchedRuleResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../generated/schema.js';
import { connectionOf, containing, equal, listQuery } from '../list-field.js';
import { mutate, required } from '../mutate.js';

type DecisionQueries = Required<
  Pick<QueryResolvers, 'decisionDefinition' | 'decisionDefinitions' | 'decisionDefinitionXml' | 'decisionHistory'>
>;

export const decisionQueries: DecisionQueries = {
  decisionDefinition: (_, name, context) => findDecisionDefinition(context.state, name) ?? null,

  async decisionDefinitions(_, args, context, info) {
    const where = [
      ...containing('key', args.key),
      ...containing('name', args.name),
      ...(args.latestVersion ? equal('latest', 1) : []),
      { op: 'notNull', column: 'key' } as const,
    ];
    const order = [{ column: 'key' }, { column: 'age' }];
    const list = listQuery({ collection: decisionDefinitions, where, order, first: 100 }, args, info);
    return connectionOf(decisionDefinitions, await context.list(list), (definition) => definition);
  },

  decisionDefinitionXml: (_, { id }, context) => decisionXml(context.state, id),

  async decisionHistory(_, args, context, info) {
    const where = [
      ...equal('definitionKey', args.definitionKey),
      ...equal('definitionId', args.definitionId),
      ...equal('instanceId', args.processInstanceId),
      ...equal('activityId', args.activityId),
      { op: 'notNull', column: 'time' } as const,
    ];
    const order = [{ column: 'time', descending: true }];
    const list = listQuery({ collection: decisionInstances, where, order, first: 20 }, args, info);
    return connectionOf(decisionInstances, await context.list(list), (evaluation) => evaluation);
  },
};

export const decisionMutations: Required<Pick<MutationResolvers, 'evaluateDecision'>> = {
  async evaluateDecision(_, { input }, context, info): Promise<DecisionInstance> {
    const { answer } = await mutate(context, info, context.services.engine.api.evaluateDecision, input);
    return required(context.find(decisionInstances, answer), 'evaluation', answer);
  },
};

export const decisionInstanceResolvers: DecisionInstanceResolvers = {
  evaluationTime: ({ time }) => time,
  processInstanceId: ({ instanceId }) => instanceId,
  result: ({ result }) => result.value,
  resultType: ({ result }) => result.type,
  resultList: ({ rows }) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value]))),
};

export const evaluatedDecisionResolvers: EvaluatedDecisionResolvers = {
  decisionId: ({ id }) => id,
  decisionName: ({ name }) => name,
  result: ({ value }) => value.value,
  inputs: ({ table }) => table?.inputs ?? [],
  matchedRules: ({ table }) => table?.rules ?? [],
  aggregated: ({ table }) => table?.aggregated?.value ?? null,
};

export const matchedRuleResolvers: MatchedRuleResolvers = { ruleId: ({ id }) => id };

export const decisionValueResolvers: DecisionValueResolvers = {
  clauseId: ({ id }) => id,
  type: ({ value }) => value.type,
  value: ({ value }) => value.value,
};
