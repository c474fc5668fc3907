import { type Asked, Exchange, ForeignBean, type Language, mapped } from '../../expression/routes.js';
import type { ElementModel } from '../model/route-model.js';

/** The property by which a script is given what its method is called with. */
const GIVEN = 'MillraceBeanArguments';

/** Role in which a bean is called without the name of a method, and for which it may have one. */
type Role = 'process' | 'evaluate' | 'aggregate';

/**
 * JavaScript as a bean. Its value is what it is, anew for each call: an object with methods, a function, or the answer itself. Parameters that nobody has written are
 * given by their names, as those of other beans. An aggregation strategy is called with two bodies; one that is no function is asked with `body.former` and `body.next`.
 */
export class ScriptBean extends ForeignBean {
  readonly #script: string;
  readonly #js: Language;
  readonly #at: ElementModel['at'];

  constructor(element: ElementModel, script: string, js: Language) {
    super();
    this.#script = script;
    this.#js = js;
    this.#at = element.at;
  }

  call(method: string | undefined, given: readonly unknown[] | undefined, exchange: Exchange): unknown {
    if (given !== undefined) exchange.properties.set(GIVEN, given);
    return this.#asked(exchange, { method: method ?? null, isGiven: given !== undefined });
  }

  process(exchange: Exchange): unknown {
    return this.#asked(exchange, { role: 'process' });
  }

  evaluate(exchange: Exchange): unknown {
    return this.#asked(exchange, { role: 'evaluate' });
  }

  aggregate(former: Exchange | undefined, next: Exchange | undefined): Exchange | Asked | undefined {
    if (former === undefined || next === undefined) return former ?? next;
    const { context, origin } = next;
    const asked = new Exchange(context, origin, { body: { former: former.body, next: next.body } });
    asked.properties.set(GIVEN, [former.body, next.body]);
    return mapped(this.#asked(asked, { role: 'aggregate', isGiven: true }), (body) => {
      former.body = body;
      return former;
    }) as Exchange | Asked;
  }

  #asked(exchange: Exchange, asked: { method?: string | null; role?: Role; isGiven?: boolean }): unknown {
    const text = `(${CALL})(${JSON.stringify(this.#script)}, ${JSON.stringify(asked)})`;
    return this.#js.expression({ language: 'js', text, options: {}, at: this.#at })(exchange);
  }
}

/** Runs beside the script, in its sandbox. */
const CALL = `function (script, { method = null, role = null, isGiven = false }) {
  const it = (0, eval)(script);
  const given = isGiven ? properties.get('${GIVEN}') : undefined;
  properties.remove('${GIVEN}');
  const named = (name) => (it !== null && typeof it === 'object' ? it[name] : undefined);
  const methods = it !== null && typeof it === 'object' ? Object.keys(it).filter((name) => typeof it[name] === 'function') : [];
  const only = typeof it === 'function' ? it : named(methods.includes('process') ? 'process' : methods.length === 1 ? methods[0] : '');
  const found = method === null ? ((role === null ? undefined : named(role)) ?? only) : named(method);
  if (found === undefined && (method !== null || methods.length > 0))
    throw new TypeError('expected a method' + (method === null ? '' : ' ' + method) + ', but the bean has ' + (methods.join(', ') || 'none'));
  if (typeof found !== 'function') return found === undefined ? it : found;
  if (given !== undefined) return found.apply(it, given);
  const source = String(found);
  const listed = /^([\\w$]+)\\s*=>/.exec(source) ?? /^[^(]*\\(([^)]*)\\)/.exec(source) ?? ['', ''];
  const values = { body, headers, exchange, message, properties, variables, context };
  const names = listed[1].split(',').map((name) => name.replace(/=[^]*$/, '').trim()).filter((name) => name !== '');
  return found.apply(it, names.map((name, at) => (name in values ? values[name] : at === 0 ? body : null)));
}`;
