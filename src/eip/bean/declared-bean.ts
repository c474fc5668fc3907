import { Exchange, ExchangeFailure, type Language, mapped } from '../../expression/routes.js';
import type { ElementModel, OptionValue } from '../model/route-model.js';
import { type AggregationStrategy, strategyOfClass } from '../pattern/aggregation-strategy.js';
import { repositoryOfClass } from '../pattern/idempotent-repository.js';

/** What beans are made with. */
export interface BeanServices {
  language(name: string): Language;
  /** A text with its `{{…}}` resolved. */
  resolved(text: string): string;
}

/**
 * A bean of a file: one of Camel's classes that are known here (aggregation strategies, the repository in memory), with its properties, or JavaScript (`scriptLanguage: js`).
 * @throws `ClassNotFoundException` for all other classes of Java
 */
export function declaredBean(element: ElementModel, services: BeanServices): unknown {
  const { type = '', script, scriptLanguage, properties } = element.options;
  if (typeof script === 'string') return scriptBean(element, script, String(scriptLanguage ?? 'js'), services);
  const className = services.resolved(String(type)).replace(/^#(class|type):/, '');
  const given = propertiesOf(properties, services);
  const bean = strategyOfClass(className, given) ?? repositoryOfClass(className, given);
  if (bean !== undefined) return bean;
  throw new ExchangeFailure(
    'java.lang.ClassNotFoundException',
    `bean ${String(element.options.name)} in line ${element.at.line}: the class ${className} does not exist here; there are Camel's aggregation strategies and its MemoryIdempotentRepository, and JavaScript (scriptLanguage: js)`,
    { at: element.at },
  );
}

function propertiesOf(written: OptionValue | undefined, { resolved }: BeanServices): Record<string, unknown> {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return {};
  const entries = Object.entries(written).map(([name, value]) => [
    name,
    typeof value === 'string' ? resolved(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/**
 * A script as a bean. Called with an exchange (`process`, `ref`) it sees that as scripts do. As an aggregation strategy it is asked with `body.former` and `body.next`,
 * and what it gives is the body of the former exchange.
 */
function scriptBean(element: ElementModel, script: string, language: string, services: BeanServices): unknown {
  if (language !== 'js' && language !== 'javascript')
    throw new ExchangeFailure(
      'org.apache.camel.NoSuchLanguageException',
      `bean ${String(element.options.name)} in line ${element.at.line}: expected scriptLanguage to be js, got ${language}`,
      { at: element.at },
    );
  const model = { language: 'js', text: services.resolved(script), options: {}, at: element.at };
  const evaluate = services.language('js').expression(model);
  const aggregate: AggregationStrategy['aggregate'] = (former, next) => {
    if (former === undefined || next === undefined) return former ?? next;
    const { context, origin } = next;
    const asked = new Exchange(context, origin, { body: { former: former.body, next: next.body } });
    return mapped(evaluate(asked), (body) => {
      former.body = body;
      return former;
    }) as Exchange;
  };
  return { process: evaluate, evaluate, aggregate };
}
