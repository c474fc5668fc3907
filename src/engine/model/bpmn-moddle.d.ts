/** What is used of bpmn-moddle, which declares no types for its entry point. */
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

  export class BpmnModdle {
    constructor(packages: Readonly<Record<string, unknown>>);
    /** Rejects with an error that may carry `warnings`. */
    fromXML(xml: string): Promise<ParseResult>;
  }
}
