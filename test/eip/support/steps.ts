import { Routes } from './routes.js';

/** A route from `direct:in` with these steps (YAML, not indented), and whatever stands behind them at the top. `beans`: of the registry. */
export const steps = (yaml: string, beans: Readonly<Record<string, unknown>> = {}, more = ''): Promise<Routes> => {
  const tested = new Routes();
  for (const [name, bean] of Object.entries(beans)) tested.context.bind(name, bean);
  const indented = yaml.trim().replace(/^/gm, '      ');
  return tested.start(`- from:\n    uri: direct:in\n    steps:\n${indented}\n${more}`);
};

/** A bean that is a processor, and fails. */
export const boom = (exchange: { readonly body: unknown }): never => {
  throw new Error(`boom ${String(exchange.body)}`);
};
