import { kindOf, type ModdleElement, many, one, text } from '../model/moddle-element.js';
import { short } from '../model/report.js';
import { compileTable } from './compile-table.js';
import type { Box, FunctionBox } from './decision-model.js';
import { nameOf, type TextCompiler, typeOf } from './text-compiler.js';

/** Compiles boxed expressions: what is wrong in them goes to the report. */
export class BoxCompiler {
  readonly #texts: TextCompiler;

  constructor(texts: TextCompiler) {
    this.#texts = texts;
  }

  box(element: ModdleElement): Box {
    switch (kindOf(element)) {
      case 'literalExpression':
        if (one(element, 'importedValues') !== null) {
          this.#texts.report.problem(element, 'imports values, but each file is deployed by itself', 'dmn-import');
        }
        return { kind: 'literal', text: this.#texts.text(element, 'an expression'), type: typeOf(element) };
      case 'decisionTable':
        return compileTable(element, this.#texts);
      case 'context':
        return this.#context(element);
      case 'list':
        return { kind: 'list', items: many(element, 'elements').map((item) => this.box(item)) };
      case 'relation':
        return {
          kind: 'relation',
          columns: many(element, 'column').map((column) => nameOf(column)),
          rows: many(element, 'row').map((row) => many(row, 'elements').map((cell) => this.box(cell))),
        };
      case 'functionDefinition':
        return this.function(element);
      case 'invocation':
        return this.#invocation(element);
      default:
        return this.#later(element);
    }
  }

  /** What DMN 1.4 added. */
  #later(element: ModdleElement): Box {
    const child = (name: string) => this.#child(element, name);
    const kind = kindOf(element);
    switch (kind) {
      case 'conditional':
        return { kind, if: child('if'), met: child('then'), unmet: child('else') };
      case 'filter':
        return { kind, in: child('in'), match: child('match') };
      case 'for':
        return { kind, variable: nameOf(element), in: child('in'), each: child('return') };
      case 'some':
      case 'every':
        return { kind, variable: nameOf(element), in: child('in'), each: child('satisfies') };
      default:
        this.#texts.report.problem(element, 'is no expression that is executed');
        return { kind: 'literal', text: null, type: null };
    }
  }

  #child(element: ModdleElement, name: string): Box {
    const holder = one(element, name);
    const found = holder && one(holder, 'value');
    if (found !== null) return this.box(found);
    this.#texts.report.problem(element, `needs an expression as its '${name}'`, 'dmn-child-expression');
    return { kind: 'literal', text: null, type: null };
  }

  #context(element: ModdleElement): Box {
    const entries = many(element, 'contextEntry').map((entry) => {
      const variable = one(entry, 'variable');
      return {
        name: variable && nameOf(variable),
        type: variable && typeOf(variable),
        value: this.#needed(entry, 'value'),
      };
    });
    return { kind: 'context', entries };
  }

  #needed(element: ModdleElement, name: string): Box {
    const found = one(element, name);
    if (found !== null) return this.box(found);
    this.#texts.report.problem(element, 'needs an expression', 'dmn-expression');
    return { kind: 'literal', text: null, type: null };
  }

  function(element: ModdleElement): FunctionBox {
    const kind = text(element, 'kind');
    if (kind !== null && kind.toUpperCase() !== 'FEEL') {
      this.#texts.report.problem(
        element,
        `is a function in ${short(kind)}, but only FEEL is executed`,
        'dmn-function-kind',
      );
    }
    const body = one(element, 'body');
    return {
      kind: 'function',
      parameters: many(element, 'formalParameter').map((it) => ({ name: nameOf(it), type: typeOf(it) })),
      type: typeOf(element),
      body: body === null ? null : this.box(body),
    };
  }

  #invocation(element: ModdleElement): Box {
    const bindings = many(element, 'binding').flatMap((binding) => {
      const parameter = one(binding, 'parameter');
      const formula = one(binding, 'bindingFormula');
      if (parameter === null)
        this.#texts.report.problem(element, 'has a binding without a parameter', 'dmn-binding-parameter');
      const value: Box = formula === null ? { kind: 'literal', text: null, type: null } : this.box(formula);
      return parameter === null ? [] : [{ name: nameOf(parameter), value }];
    });
    return { kind: 'invocation', called: this.#needed(element, 'calledFunction'), bindings };
  }
}
