/** Types of bpmn-moddle, as far as it is used: it declares none for its entry point. */
declare module 'bpmn-moddle' {
  import type { ModdleElement } from './moddle-element.js';

  export interface ParseWarning {
    readonly message: string;
    readonly element?: ModdleElement;
    readonly property?: string;
    readonly value?: string;
  }

  export interface ParseResult {
    readonly rootElement: ModdleElement;
    readonly elementsById: Readonly<Record<string, ModdleElement>>;
    readonly warnings: readonly ParseWarning[];
  }

  /** The parser's state while it reads. */
  export interface ParsingContext {
    readonly elementsById: Record<string, ModdleElement>;
    addElement(element: ModdleElement): void;
  }

  /** Reads an element; the root's is given its context before it begins, and hands it on. */
  export interface ElementHandler {
    context: ParsingContext;
  }

  export interface Reader {
    handler(type: string): ElementHandler;
  }

  /** Becomes the reader's own, in the place of what its prototype has. */
  export type ReaderOptions = Partial<Reader>;

  export class BpmnModdle {
    /** `nsMap`: namespaces that are read as one of the packages, by its prefix. */
    constructor(packages: Readonly<Record<string, unknown>>, options: { readonly nsMap: Record<string, string> });
    create(type: string, values: object): ModdleElement;
    /** Rejects with an error that may carry `warnings`. */
    fromXML(xml: string, options?: ReaderOptions): Promise<ParseResult>;
  }
}
