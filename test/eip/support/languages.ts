import { ExchangeFailure, type Language } from '../../../src/expression/index.js';

/** The languages of routes, as far as they are there. */
export function languageOf(name: string): Language {
  const language = LANGUAGES[name];
  if (language === undefined)
    throw new ExchangeFailure('org.apache.camel.NoSuchLanguageException', `no language ${name}`);
  return language;
}

const LANGUAGES: Record<string, Language> = {
  constant: {
    expression:
      ({ text }) =>
      () =>
        text,
    predicate:
      ({ text }) =>
      () =>
        text === 'true',
  },
  header: {
    expression:
      ({ text }) =>
      (it) =>
        it.headers.get(text) ?? null,
    predicate:
      ({ text }) =>
      (it) =>
        it.headers.get(text) === true || it.headers.get(text) === 'true',
  },
  simple: {
    expression:
      ({ text }) =>
      (it) => {
        const value = (name: string) =>
          name === 'body'
            ? it.body
            : name.startsWith('header.')
              ? it.headers.get(name.slice(7))
              : it.properties.get(name.slice(17));
        const whole = /^\$\{([^}]+)\}$/.exec(text)?.[1];
        return whole !== undefined
          ? value(whole)
          : text.replace(/\$\{([^}]+)\}/g, (_, name: string) => String(value(name) ?? ''));
      },
    predicate:
      ({ text }) =>
      (it) => {
        const [, left = '', operator, right = ''] = /^\$\{([^}]+)\} (==|>|<) '?([^']*)'?$/.exec(text) ?? [];
        const value = left === 'body' ? it.body : it.headers.get(left.slice(7));
        if (operator === '>') return Number(value) > Number(right);
        return operator === '<' ? Number(value) < Number(right) : String(value) === right;
      },
  },
};
