import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import type { ServiceError } from '../../shared/errors.js';
import { unavailable } from '../../shared/errors.js';

/** Engines that a workspace may be without, by what the names of their SDL files begin with. */
const ENGINES = { bpm: 'process engine', eip: 'integration engine' } as const;

export type ApiEngine = keyof typeof ENGINES;

/** The context of an execution, as far as it is about engines. */
interface EngineContext {
  /** Whether the engine runs in the workspace that is asked. Default: all do. */
  isRunning?(engine: ApiEngine): boolean;
}

/** The engine is off in the workspace until that is started anew. */
export const ENGINE_OFF = 'engine_off';

const engineOff = (engine: ApiEngine): ServiceError =>
  unavailable(`expected the ${ENGINES[engine]} of the workspace to run, but it is off`, {
    reason: ENGINE_OFF,
    details: { engine },
  });

/** The engine whose SDL declares this: by the name of the file. */
function engineOf(
  node: { readonly loc?: { readonly source: { readonly name: string } } } | null | undefined,
): ApiEngine | undefined {
  const [prefix = ''] = node?.loc?.source.name.split('-') ?? [];
  return prefix in ENGINES ? (prefix as ApiEngine) : undefined;
}

/**
 * Has every field by which one comes to an engine refuse while that is off in the workspace that is asked: its root fields, and fields of other domains that
 * give its types. What lies behind them is not reached then.
 */
export function guardEngines(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const home = roots.includes(type) ? undefined : engineOf(type.astNode);
    for (const field of Object.values(type.getFields())) {
      const engine = engineOf(field.astNode) ?? engineOf(getNamedType(field.type).astNode);
      if (engine !== undefined && engine !== home) guardField(field, engine);
    }
  }
}

type Resolver = GraphQLFieldResolver<unknown, unknown>;

function guardField(field: GraphQLField<unknown, unknown>, engine: ApiEngine): void {
  const guarded =
    (resolve: Resolver): Resolver =>
    (source, args, context, info) => {
      if ((context as EngineContext | undefined)?.isRunning?.(engine) === false) throw engineOff(engine);
      return resolve(source, args, context, info);
    };
  if (field.subscribe !== undefined) field.subscribe = guarded(field.subscribe);
  else field.resolve = guarded(field.resolve ?? defaultFieldResolver);
}
