/** Types of dmn-moddle, as far as it is used: it declares none. */
declare module 'dmn-moddle' {
  import type { ModdleElement } from '../model/moddle-element.js';

  export interface DmnWarning {
    readonly message: string;
    readonly element?: ModdleElement;
    readonly property?: string;
    readonly value?: string;
  }

  export class DmnModdle {
    constructor(packages?: object, options?: object);
    fromXML(xml: string): Promise<{
      readonly rootElement: ModdleElement;
      readonly warnings: readonly DmnWarning[];
    }>;
  }
}
