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
    /** `nsMap`: namespaces that are read as one of the packages, by its prefix. */
    constructor(packages: Readonly<Record<string, unknown>>, options: { readonly nsMap: Record<string, string> });
    /** Rejects with an error that may carry `warnings`. */
    fromXML(xml: string): Promise<ParseResult>;
  }
}
