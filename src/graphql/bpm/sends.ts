import type { ApiOperations } from '../../engine/index.js';
import type { Operation } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { mutate, mutateAndSettle } from '../mutate.js';

type Info = Parameters<typeof mutate>[1];

/** Which operation of the engine a mutation sends. */
type Chosen<I, A> = (api: ApiOperations) => Operation<I, A>;
/** What a mutation answers, of what its command answered. */
type Shown<A, R> = (answer: A, context: ApiContext) => R;

/** The resolver of a mutation that sends its arguments to an operation of the engine. */
export const sends =
  <I, A, R>(chosen: Chosen<I, A>, shown: Shown<A, R>) =>
  async (_: unknown, args: I, context: ApiContext, info: Info): Promise<R> =>
    shown((await mutate(context, info, chosen(context.services.engine.api), args)).answer, context);

/** As {@link sends}; answers when no call or continuation is running that the command set off. */
export const sendsAndSettles =
  <I, A, R>(chosen: Chosen<I, A>, shown: Shown<A, R>) =>
  async (_: unknown, args: I, context: ApiContext, info: Info): Promise<R> =>
    shown((await mutateAndSettle(context, info, chosen(context.services.engine.api), args)).answer, context);

/** The resolver, for a mutation whose one argument is `input`. */
export const ofInput =
  <I, R>(resolve: (parent: unknown, input: I, context: ApiContext, info: Info) => R) =>
  (parent: unknown, { input }: { readonly input: I }, context: ApiContext, info: Info): R =>
    resolve(parent, input, context, info);

/** The command's own answer. */
export const itself = <A>(answer: A): A => answer;
