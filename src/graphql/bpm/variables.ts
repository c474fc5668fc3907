import type { GraphQLResolveInfo } from 'graphql';
import type { TypedValue, Variables } from '../../engine/index.js';
import type { Connection } from '../../shared/connection.js';
import { cursorsOf, Keyset } from '../../store/index.js';
import { keysetConnection, keysetRequest, type PageArguments } from '../list-field.js';

/** A variable as the API shows it. */
interface NamedVariable extends TypedValue {
  readonly name: string;
}

/** Variables as a list, by name. A large one is read when its value is asked for, one after the other: so an answer that grows too large is noticed. */
export const variableList = (variables: Variables): NamedVariable[] =>
  Object.entries(variables)
    .map(([name, variable]) => new Named(name, variable))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

class Named implements NamedVariable {
  readonly name: string;
  readonly #variable: TypedValue;

  constructor(name: string, variable: TypedValue) {
    this.name = name;
    this.#variable = variable;
  }

  get type(): TypedValue['type'] {
    return this.#variable.type;
  }

  get value(): unknown {
    return this.#variable.value;
  }

  /** As Camunda tells it: with the type that the value is of there. */
  get valueInfo(): TypedValue['info'] | null {
    return this.#variable.info ?? null;
  }
}

/** A page of variables, by name; `of` says whose. Only those of the page are read. */
export function variablePage(
  of: string,
  variables: Variables,
  args: PageArguments,
  info: GraphQLResolveInfo,
): Connection<NamedVariable> & { readonly totalCount: number } {
  const keyset = new Keyset(
    cursorsOf(`${info.parentType.name}.${info.fieldName} ${of}`, 1),
    keysetRequest(args, 20, info),
  );
  const after = keyset.after === undefined ? undefined : String(keyset.after[0]);
  const names = Object.keys(variables).sort();
  const behind = after === undefined ? names : names.filter((name) => name > after);
  const found = behind.slice(0, keyset.wanted).flatMap((name) => {
    const variable = variables[name];
    return variable === undefined ? [] : [{ key: [name], node: new Named(name, variable) }];
  });
  return keysetConnection<NamedVariable>(keyset.page(found, () => names.length));
}
