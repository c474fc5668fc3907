import type { GraphQLFormattedError } from 'graphql';
import { graphqlOperationDuration, isMeasuring } from '../../shared/metrics.js';
import { inSpan, isTracing, SpanStatusCode } from '../../shared/trace.js';
import type { PreparedOperation } from '../document/prepare-document.js';

/** Runs an operation within a span of its own and measures it. That of a subscription is over when its events begin, or do not. */
export function inOperation<R extends object>(
  { type, name }: Pick<PreparedOperation, 'type' | 'name'>,
  workspace: string,
  run: () => Promise<R>,
): Promise<R> {
  if (!isTracing() && !isMeasuring()) return run();
  const from = performance.now();
  const kind = { 'graphql.operation.type': type };
  const start = isTracing() ? { attributes: attributesOf(type, name, workspace) } : {};
  return inSpan(type, start, async (span) => {
    const result = await run();
    const failure = failureOf(result);
    if (failure !== undefined) {
      span.setAttributes(failure);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    const took = (performance.now() - from) / 1000;
    graphqlOperationDuration.record(took, failure === undefined ? kind : { ...kind, ...failure });
    return result;
  });
}

const attributesOf = (type: string, name: string | undefined, workspace: string) => ({
  'graphql.operation.type': type,
  ...(name !== undefined && { 'graphql.operation.name': name }),
  'app.workspace': workspace,
});

function failureOf(result: { readonly errors?: readonly GraphQLFormattedError[] } | object) {
  const code = 'errors' in result ? result.errors?.[0]?.extensions?.code : undefined;
  return code === undefined ? undefined : { 'error.type': String(code) };
}
