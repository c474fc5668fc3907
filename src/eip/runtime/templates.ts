import { ExchangeFailure } from '../../expression/routes.js';
import type { Beans } from '../bean/beans.js';
import type { Endpoint, KameletCall } from '../component/component.js';
import { filledTemplate } from '../model/fill-template.js';
import type { FromModel, Options, RouteModel, TemplateModel } from '../model/route-model.js';
import type { Kept } from '../pattern/pattern.js';

interface TemplateParts {
  /** Those that there are. */
  readonly all: () => readonly TemplateModel[];
  readonly property: (key: string) => string | undefined;
  readonly endpoint: (uri: string, parameters?: Options) => Endpoint;
  readonly beans: Pick<Beans, 'share'>;
}

/** How many templates may stand one behind the other where a route begins. */
const SOURCES_MAX = 20;
const FAILED = 'org.apache.camel.component.kamelet.FailedToCreateKameletException';

/** The templates of a context, as routes call them by `kamelet:`. */
export class Templates {
  readonly #parts: TemplateParts;
  /** How many were filled. */
  #count = 0;

  constructor(parts: TemplateParts) {
    this.#parts = parts;
  }

  /** The route of a template with what it is called with; its beans are there as long as `kept`, what the calling route keeps. @throws ExchangeFailure */
  filled({ templateId, routeId, parameters }: KameletCall, kept: Kept[]): RouteModel {
    const { all, property, beans } = this.#parts;
    const template = all().find(({ id }) => id === templateId);
    if (template === undefined)
      throw new ExchangeFailure(
        'org.apache.camel.component.kamelet.KameletNotFoundException',
        `Kamelet with id ${templateId} not found: there is no template of that id`,
      );
    const name = `${routeId ?? templateId}-${++this.#count}`;
    const ofRoute = (parameter: string) =>
      routeId === undefined ? undefined : property(`camel.kamelet.${templateId}.${routeId}.${parameter}`);
    const otherwise = (parameter: string) => ofRoute(parameter) ?? property(`camel.kamelet.${templateId}.${parameter}`);
    const filled = filledTemplate(template, { parameters, name, idPrefix: `${name}-`, otherwise });
    if (typeof filled === 'string')
      throw new ExchangeFailure('org.apache.camel.FailedToCreateRouteFromTemplateException', filled);
    if (filled.beans.length > 0) {
      beans.share(name, filled.beans);
      kept.push({ pending: 0, stop: () => {}, end: () => beans.share(name, []) });
    }
    return filled.route;
  }

  /** Where a route takes its exchanges: behind the templates that stand for its endpoint, the outermost first. @throws ExchangeFailure */
  beginning({ uri, parameters }: FromModel, kept: Kept[]): { readonly from: Endpoint; readonly sources: RouteModel[] } {
    const sources: RouteModel[] = [];
    let from = this.#parts.endpoint(uri, parameters);
    while (typeof from.kamelet === 'object') {
      const source = this.filled(from.kamelet, kept);
      sources.push(source);
      if (sources.length > SOURCES_MAX) throw new ExchangeFailure(FAILED, `${from.uri} begins at itself`);
      from = this.#parts.endpoint(source.from.uri, source.from.parameters);
    }
    if (from.kamelet === undefined) return { from, sources };
    throw new ExchangeFailure(FAILED, `no route can begin at ${uri}: its template begins at ${from.uri}`);
  }
}
